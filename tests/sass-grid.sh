#!/usr/bin/env bash
# The orders that one synchronisation keeps in ptxas, and those that only two keep, are those of sass/held.tsv. The
# small texts of the grid (an operation, one or two synchronisations, an observer) lose no order and no completion
# by the removals of the optimizer (see sass/grid.c). The smaller grid; SASS_GRID=all for all of it. PTXAS names the
# program; PTXAS= skips the test.
set -u
. "$SRCDIR/tests/tap.sh"

PTXAS=${PTXAS-ptxas}
command -v "${PTXAS:-none}" >/dev/null || skip_all "no ptxas on PATH"
[ -z "${INSTRUMENTED:-}" ] || skip_all "this build is instrumented"
export PTXAS
sass=$SRCDIR/tests/sass
SASS_FOLDER=$scratch "$BUILDDIR/tests/sass/differential" grid \
  "$sass/explained.tsv" "$sass/unsaid" "$sass/held.tsv" ${SASS_GRID:+"$SASS_GRID"}
