#!/usr/bin/env bash
# Runs the cases in tests/mutants/cases, each written for a mutant that no other case noticed; see run_cases.c.
exec "$BUILDDIR/tests/run_cases" tests/mutants/cases
