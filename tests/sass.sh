#!/usr/bin/env bash
# No order that ptxas kept is lost by a removal of the optimizer, or by one that the checker accepts: the comparison
# of machine code for bodies with known losses, and for random programs (see sass/main.c). 20,000 programs of one
# seed; SASS_PROGRAMS, SASS_SEED, or a million under PTXOPT_NIGHTLY. PTXAS names the program; PTXAS= skips the test.
set -u
. "$SRCDIR/tests/tap.sh"

PTXAS=${PTXAS-ptxas}
command -v "${PTXAS:-none}" >/dev/null || skip_all "no ptxas on PATH"
[ -z "${INSTRUMENTED:-}" ] || skip_all "this build is instrumented"
export PTXAS
SASS_FOLDER=$scratch "$BUILDDIR/tests/sass/differential" random \
  "$SRCDIR/tests/sass/explained.tsv" "$SRCDIR/tests/sass/known"
