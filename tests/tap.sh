# shellcheck shell=bash
# TAP for the scripts here: source it, call ok or not_ok once for each case, and finish at the end. The exit status
# shows only whether the script ran: automake's driver would count another status as an additional failure.

tap_count=0

ok() { tap_count=$((tap_count + 1)); echo "ok $tap_count - $1"; }
not_ok() { tap_count=$((tap_count + 1)); echo "not ok $tap_count - $1"; }
skip() { tap_count=$((tap_count + 1)); echo "ok $tap_count - $1 # SKIP $2"; }

# Prints a file (- is standard input) as comments, at most 20 lines.
comment() { sed -e 's/^/# /' -e 20q "$1"; }

# chosen NAME: whether the case, FILE:NAME, or its file is among those of CASES (make check CASE=GLOB; see chosen.sh)
chosen() {
  # shellcheck disable=SC2053 # it is a pattern
  [[ -z ${CASES:-} || $1 == $CASES || ${1%%:*} == $CASES ]]
}

# whole_texts TEST...: prints the name of every PTX text below examples and tests for which find's TESTs are true, with the
# cases as separate texts. Run it in the source tree.
whole_texts() {
  find examples tests -type f -name '*.ptx' ! -path 'tests/http/*' ! -path 'tests/rules/*' ! -path 'tests/never/*' \
    ! -path 'tests/isa/*' ! -path 'tests/pipeline/*' ! -path 'tests/mutants/*' \
    ! -path 'tests/lint-codes/*' ! -path 'tests/bugs/*' "$@"
  find "$EXPANDED" -type f -name '*.ptx' "$@"
}

# becomes KERNEL FILE: whether FILE is the expected output for the example KERNEL.ptx, by KERNEL.expected.diff.
becomes() { diff -U1 --label input --label output "$1.ptx" "$2" | cmp -s - "$1.expected.diff"; }

# skip_all REASON: skips the whole script.
skip_all() { echo "1..0 # SKIP $1"; exit 0; }

finish() {
  [ "$tap_count" -gt 0 ] || skip_all "no cases here"
  echo "1..$tap_count"
  exit 0
}

# same WHAT EXPECTED GOT: compares two files; prints how they differ. With UPDATE=1 (refused under CI) GOT becomes
# the expectation, and the comparison succeeds.
same() {
  cmp -s "$2" "$3" && return 0
  echo "# $1: - expected, + got"
  diff -u "$2" "$3" | tail -n +3 | comment -
  # Files that the test itself made are no expectations.
  if [ -n "${UPDATE:-}" ] && [ "${2#"$scratch"/}" = "$2" ]; then
    cp "$3" "$2" && echo "# rewrote $2" && return 0
  fi
  return 1
}

if [ -n "${UPDATE:-}" ] && [ -n "${CI:-}" ]; then
  echo "Bail out! UPDATE is refused under CI"
  exit 1
fi

# limited COMMAND...: ends a command that hangs, and reports it; the limit decides nothing else.
limited() {
  timeout --foreground -k 30 600 "$@"
  local status=$?
  [ $status != 124 ] && [ $status != 137 ] || echo "# timed out after 10 minutes: $*" >&2
  return $status
}

# A temporary folder, removed at the end.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
