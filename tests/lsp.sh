#!/usr/bin/env bash
# The language server over pipes: tests/lsp/ has the conversations, and the editors that hold them.
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$SRCDIR/tests/tap.sh"
command -v python3 >/dev/null || skip_all "no python3 here"
# The first python3 on PATH need not be the one that has pygls.
python=python3
for one in python3 /usr/bin/python3 ${PTXOPT_PYGLS:+"$PTXOPT_PYGLS"}; do
  if "$one" -W ignore -c 'import pygls' 2>/dev/null; then python=$one; fi
done
"$python" "$SRCDIR/tests/lsp/run.py"
