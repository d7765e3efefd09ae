#!/usr/bin/env bash
# The cases below tests/rules; see run_cases.c.
exec "$BUILDDIR/tests/run_cases" tests/rules
