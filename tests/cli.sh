#!/usr/bin/env bash
# The command line of ptxopt, which is $PTXOPT in each cmd; see commands.sh.
set -u
. "$SRCDIR/tests/tap.sh"
. "$SRCDIR/tests/commands.sh"
export PTXOPT
run_commands cli
finish
