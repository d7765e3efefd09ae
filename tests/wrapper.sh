#!/usr/bin/env bash
# ptxopt-ptxas between a compiler and a substitute ptxas for the tests (wrapper/programs/ptxas): what it
# gets, and what the compiler hears of it. In each cmd $WRAPPER is the program, first on PATH is that
# ptxas, and no settings of the environment are there; see commands.sh.
set -u
. "$SRCDIR/tests/tap.sh"
. "$SRCDIR/tests/commands.sh"
for name in $(compgen -e PTXOPT_); do unset "$name"; done
WRAPPER=$BUILDDIR/ptxopt-ptxas
PATH=$SRCDIR/tests/wrapper/programs:$PATH
mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp
PTXOPT_CACHE_DIR=$scratch/dir/.cache # of each case its own
export WRAPPER PATH TMPDIR PTXOPT_CACHE_DIR
run_commands wrapper
if [ -z "$(ls "$scratch/tmp")" ]; then ok "nothing is left in the folder for temporary files"; else
  ls "$scratch/tmp" | comment -
  not_ok "nothing is left in the folder for temporary files"
fi
finish
