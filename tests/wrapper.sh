#!/usr/bin/env bash
# ptxopt-ptxas between a compiler and a substitute ptxas for the tests (wrapper/programs/ptxas): tests what this ptxas
# gets, and what the compiler gets. In each cmd, $WRAPPER is the program, the substitute is first on PATH, and there are
# no settings in the environment; see commands.sh.
set -u
. "$SRCDIR/tests/tap.sh"
. "$SRCDIR/tests/commands.sh"
for name in $(compgen -e PTXOPT_); do unset "$name"; done
WRAPPER=$BUILDDIR/ptxopt-ptxas
PATH=$SRCDIR/tests/wrapper/programs:$PATH
mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp
PTXOPT_CACHE_DIR=$scratch/dir/.cache # a separate cache for each case
export WRAPPER PATH TMPDIR PTXOPT_CACHE_DIR
run_commands wrapper
if [ -z "$(ls "$scratch/tmp")" ]; then ok "nothing is left in the folder for temporary files"; else
  ls "$scratch/tmp" | comment -
  not_ok "nothing is left in the folder for temporary files"
fi
finish
