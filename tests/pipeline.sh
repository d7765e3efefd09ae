#!/usr/bin/env bash
# The cases below tests/pipeline; see run_cases.c.
exec "$BUILDDIR/tests/run_cases" tests/pipeline
