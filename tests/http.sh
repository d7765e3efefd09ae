#!/usr/bin/env bash
# The service over real sockets of 127.0.0.1: tests/http/ has the cases, run.py prints their TAP.
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$SRCDIR/tests/tap.sh"
[ -x "$BUILDDIR/ptxoptd" ] || skip_all "ptxoptd was not built"
command -v python3 >/dev/null || skip_all "no python3 here"
exec python3 "$SRCDIR/tests/http/run.py" "$@"
