#!/usr/bin/env bash
# sass/held.tsv lists the orders that ptxas keeps because of one synchronisation, and those that it keeps only with two. The
# small texts of the grid (an operation, one or two synchronisations, an observer) lose no order and no completion
# by the removals of the optimizer (see sass/grid.c). The test uses a part of the grid; SASS_GRID=all uses all of it. PTXAS
# names the program; PTXAS= skips the test.
set -u
. "$SRCDIR/tests/tap.sh"

PTXAS=${PTXAS-ptxas}
command -v "${PTXAS:-none}" >/dev/null || skip_all "no ptxas on PATH"
[ -z "${INSTRUMENTED:-}" ] || skip_all "this build is instrumented"
export PTXAS
sass=$SRCDIR/tests/sass
SASS_FOLDER=$scratch "$BUILDDIR/tests/sass/differential" grid \
  "$sass/explained.tsv" "$sass/unsaid" "$sass/held.tsv" ${SASS_GRID:+"$SASS_GRID"}
