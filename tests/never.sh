#!/usr/bin/env bash
# The cases below tests/never; see run_cases.c.
exec "$BUILDDIR/tests/run_cases" tests/never
