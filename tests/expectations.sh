#!/usr/bin/env bash
# expectations.sh [PATH...]: all that the files of cases expect, a line each, with tabs: the case, FILE:LINE, what is
# expected, the instruction. PATHs as tests/rules/wait-idle; a case that expects that nothing happens has one line.
# `git diff` of two such lists shows what a change of the cases requires more and less.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- tests/{rules,isa,never,pipeline,mutants/cases,lint-codes,bugs}
SRCDIR=$PWD CASES=${CASE:-} exec "${BUILDDIR:-$PWD}/tests/run_cases" --list "$@"
