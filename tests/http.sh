#!/usr/bin/env bash
# The service over real sockets of 127.0.0.1: tests/http/ has the cases, run.py prints their TAP.
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$SRCDIR/tests/tap.sh"
[ -x "$BUILDDIR/ptxoptd" ] || skip_all "ptxoptd was not built"
command -v python3 >/dev/null || skip_all "no python3 here"
# The first python3 on PATH need not be that of the system's packages.
python=python3
for one in python3 /usr/bin/python3; do
  if "$one" -W ignore -c 'import jsonschema' 2>/dev/null; then python=$one; break; fi
done
exec "$python" "$SRCDIR/tests/http/run.py" "$@"
