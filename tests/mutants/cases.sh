#!/usr/bin/env bash
# The cases below tests/mutants/cases, which mutants needed that no other case caught; see run_cases.c.
exec "$BUILDDIR/tests/run_cases" tests/mutants/cases
