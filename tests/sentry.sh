#!/usr/bin/env bash
# If another verifier finds a kernel race free, it finds the output of ptxopt race free. tests/sentry/ runs
# sentryward (of the Python registry): the one of $SENTRYWARD, on PATH, or of python3 or an interpreter of
# PTXOPT_TEST_PYTHON.
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$SRCDIR/tests/tap.sh"
command -v python3 >/dev/null || skip_all "no python3 here"
if [ -z "${SENTRYWARD:-}" ] && command -v sentryward >/dev/null; then SENTRYWARD=sentryward; fi
for one in python3 ${PTXOPT_TEST_PYTHON:-}; do
  if [ -z "${SENTRYWARD:-}" ] && "$one" -c 'import sentryward' 2>/dev/null; then SENTRYWARD="$one -m sentryward"; fi
done
[ -n "${SENTRYWARD:-}" ] || skip_all "no sentryward here, on PATH or in python3 or PTXOPT_TEST_PYTHON"
export SENTRYWARD PYTHONDONTWRITEBYTECODE=1
exec python3 "$SRCDIR/tests/sentry/run.py"
