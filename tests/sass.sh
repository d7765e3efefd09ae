#!/usr/bin/env bash
# No removal of the optimizer, and none that the checker accepts, loses an order that ptxas kept. Compares machine
# code for bodies with known losses, and for random programs (see sass/main.c): 20,000 programs of one seed, or those of
# SASS_PROGRAMS and SASS_SEED; a million under PTXOPT_NIGHTLY. PTXAS names the program; PTXAS= skips the test.
set -u
. "$SRCDIR/tests/tap.sh"

PTXAS=${PTXAS-ptxas}
command -v "${PTXAS:-none}" >/dev/null || skip_all "no ptxas on PATH"
[ -z "${INSTRUMENTED:-}" ] || skip_all "this build is instrumented"
export PTXAS
SASS_FOLDER=$scratch "$BUILDDIR/tests/sass/differential" random \
  "$SRCDIR/tests/sass/explained.tsv" "$SRCDIR/tests/sass/known"
