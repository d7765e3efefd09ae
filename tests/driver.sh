#!/usr/bin/env bash
# Runs one suite for `make check` and reports its result: a line with its counts and seconds, the failures, and the
# remaining work. automake's tap-driver.sh, which gets all arguments, evaluates the output. A suite that hangs is
# ended after an hour. tests/progress.sh has the plan.
set -u
name='' trs='' log='' before=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
    --test-name) name=$2 ;;
    --trs-file) trs=$2 ;;
    --log-file) log=$2 ;;
  esac
  before+=("$1")
  shift
done
shift

# shellcheck source=tests/progress.sh
. "$SRCDIR/tests/progress.sh"
progress_starts "$name"
sh "$SRCDIR/build-aux/tap-driver.sh" "${before[@]}" -- \
  bash "$SRCDIR/tests/limited.sh" "${SUITE_MINUTES:-60}" "$@" >"$log.lines"
status=$?
times >"$log.times"
progress_ends "$name" "$trs" "$log"
rm -f "$log.lines" "$log.times"
exit $status
