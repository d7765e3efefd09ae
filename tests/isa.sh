#!/usr/bin/env bash
# The cases below tests/isa; see run_cases.c.
exec "$BUILDDIR/tests/run_cases" tests/isa
