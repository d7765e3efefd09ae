#!/usr/bin/env bash
# What one synchronisation holds back in ptxas, and what only two do, is as sass/held.tsv says; and
# of the small texts of the grid (an operation, one or two synchronisations, an observer) none loses
# an order or a completion with what the optimizer removes (see sass/grid.c). The smaller grid;
# SASS_GRID=all for all of it. PTXAS names the program; PTXAS= skips.
set -u
. "$SRCDIR/tests/tap.sh"

PTXAS=${PTXAS-ptxas}
command -v "${PTXAS:-none}" >/dev/null || skip_all "no ptxas on PATH"
[ -z "${INSTRUMENTED:-}" ] || skip_all "this build is instrumented"
export PTXAS
sass=$SRCDIR/tests/sass
SASS_FOLDER=$scratch "$BUILDDIR/tests/sass/differential" grid \
  "$sass/explained.tsv" "$sass/unsaid" "$sass/held.tsv" ${SASS_GRID:+"$SASS_GRID"}
