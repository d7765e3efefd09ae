#!/usr/bin/env bash
# The Python package, from the sources and with the library and programs of this build, by python3 and the
# interpreters in PTXOPT_TEST_PYTHON (separated by spaces) that have Triton, CuTe DSL with quack or
# FlashAttention-4, TileLang, cuTile, or mypy. Tests that need one of these are skipped without it.
set -u
. "$SRCDIR/tests/tap.sh"

[ -e "$BUILDDIR/.libs/libptxopt.so" ] || skip_all "no shared library was built"
case ${INSTRUMENTED:-} in *sanitize*) skip_all "python3 does not load a library with the sanitizers" ;; esac
command -v python3 >/dev/null || skip_all "no python3 here"
export PYTHONPATH=$SRCDIR/python PTXOPT_LIBRARY=$BUILDDIR/.libs/libptxopt.so PATH=$BUILDDIR:$PATH
export PYTHONDONTWRITEBYTECODE=1 PTXOPT_CACHE_DIR=$scratch/cache TMPDIR=$scratch

# results LABEL: prints the lines of run.py as TAP.
results() {
  local verdict name reason
  while IFS=$'\t' read -r verdict name reason; do
    case $verdict in
      ok) ok "$1: $name" ;;
      skip) skip "$1: $name" "$reason" ;;
      'not ok') not_ok "$1: $name" ;;
      '#'*) echo "$verdict$name" ;;
    esac
  done
}

for python in python3 ${PTXOPT_TEST_PYTHON:-}; do
  label=$("$python" -c 'import sys; print("python", "%d.%d.%d" % sys.version_info[:3])' 2>&1) ||
    { not_ok "$python runs"; continue; }
  [ "$python" = python3 ] || label="$python"
  if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    skip "$label" "it is older than 3.10"
    continue
  fi
  for module in "$SRCDIR"/tests/python/test_*.py; do
    module=$(basename "$module" .py)
    chosen "python/${module#test_}" || continue
    "$python" "$SRCDIR/tests/python/run.py" "$module" >"$scratch/lines" 2>"$scratch/errors"
    status=$?
    results "$label" <"$scratch/lines"
    [ "$status" = 0 ] || { comment "$scratch/errors"; not_ok "$label: $module ends by itself (status $status)"; }
  done
done
finish
