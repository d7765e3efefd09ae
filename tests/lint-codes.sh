#!/usr/bin/env bash
# Runs the cases below tests/lint-codes (see case_lint.c), and checks the quotations in findings.
set -u
. "$SRCDIR/tests/tap.sh"

"$BUILDDIR/tests/run_cases" tests/lint-codes >"$scratch/tap"
grep -v '^1\.\.' "$scratch/tap"
tap_count=$(grep -cE '^(not )?ok ' "$scratch/tap")

# A code reports nothing elsewhere at a level that it has in no case here: doc/lint.md shows the levels of the cases.
if [ -z "${CASES:-}" ]; then
  grep -rhoE '// (error|warning|note): [a-z-]+' "$SRCDIR"/tests/lint-codes | sed 's|// \(.*\): |\1 |' | sort -u >"$scratch/levels"
  "$BUILDDIR/tests/lint_findings" "$SRCDIR"/tests/pairs/*.txt "$SRCDIR"/examples/*/*.ptx "$EXPANDED"/bugs/*/*.ptx |
    awk '/^[0-9]/ { print $2, $3 }' | sort -u >"$scratch/reported"
  what="lint-codes/each level of a finding has a case"
  if [ -s "$scratch/reported" ] && unseen=$(comm -13 "$scratch/levels" "$scratch/reported") && [ -z "$unseen" ]; then ok "$what"; else
    printf '# no case has: %s\n' "$unseen"
    not_ok "$what"
  fi
fi

# The words that findings quote are in the ISA, if its text is in PTXOPT_SHARED.
words() { tr -s '[:space:]*`_' ' ' <"$1" | sed "s/\](https[^)]*)//g; s/ \([.,;]\)/\1/g; s/’/'/g"; }
quoted() {
  local name="lint-codes/the-isa-says-it/$1/${2:0:40}"
  chosen "$name" || return 0
  printf '%s' "$2" >"$scratch/sentence"
  if ! grep -qF " $1. " "$scratch/isa"; then
    skip "$name" "the text of section $1 is not here"
  elif grep -qF "$(words "$scratch/sentence")" "$scratch/isa"; then ok "$name"; else
    echo "# not in the ISA: $2"
    not_ok "$name"
  fi
}
if [ -z "${CASES:-}" ] && ls "$PTXOPT_SHARED"/isa/* >/dev/null 2>&1; then
  cat "$PTXOPT_SHARED"/isa* "$PTXOPT_SHARED"/isa/* 2>/dev/null >"$scratch/isa.text"
  words "$scratch/isa.text" >"$scratch/isa"
  "$BUILDDIR/tests/lint_findings" --words "$EXPANDED"/lint-codes/*/*/*.ptx | sort -u >"$scratch/quotes"
  while IFS=$'\t' read -r section sentence; do quoted "$section" "$sentence"; done <"$scratch/quotes"
else
  skip "lint-codes/the-isa-says-it" "no text of the ISA here"
fi
finish
