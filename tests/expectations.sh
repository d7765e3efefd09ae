#!/usr/bin/env bash
# expectations.sh [PATH...]: all expectations of the files of cases, one in each line, separated by tabs: the case,
# FILE:LINE, the expectation, the instruction. PATHs are like tests/rules/wait-idle; a case that expects that
# nothing happens has one line. `git diff` of two such lists shows the changed requirements.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- tests/{rules,isa,never,pipeline,mutants/cases,lint-codes,bugs}
SRCDIR=$PWD CASES=${CASE:-} exec "${BUILDDIR:-$PWD}/tests/run_cases" --list "$@"
