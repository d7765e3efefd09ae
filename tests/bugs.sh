#!/usr/bin/env bash
# tests/bugs/NAME.ptx: a kernel with a bug that somebody had (before) and with its fix (after); see case_lint.c.
exec "$BUILDDIR/tests/run_cases" tests/bugs
