#!/usr/bin/env bash
# tests/bugs/NAME: a kernel with a bug that somebody had (before.ptx) and with its fix (after.ptx). Of the
# first lint says at least what the lines LINE CODE LEVEL of `expect` say, but for those that end in the word
# missed, which it does not find yet; of the second no error and no warning.
set -u
. "$SRCDIR/tests/tap.sh"

found() {
  local name=$1 expected missing=0
  "$BUILDDIR/tests/lint_findings" "$SRCDIR/tests/$name/before.ptx" >"$scratch/got"
  while read -r line code level missed; do
    expected="$line $level $code "
    if [ -n "$missed" ]; then
      ! grep -q "^$expected" "$scratch/got" || { echo "# no longer missed: $expected"; missing=1; }
    else
      grep -q "^$expected" "$scratch/got" || { echo "# expected: $expected"; missing=1; }
    fi
  done < <(sed '/^$/q' "$SRCDIR/tests/$name/expect" | grep -E '^[0-9]+ ')
  if [ "$missing" = 0 ]; then ok "$name: found"; else
    comment "$scratch/got"
    not_ok "$name: found"
  fi
}

silent() {
  "$BUILDDIR/tests/lint_findings" "$SRCDIR/tests/$1/after.ptx" | grep -v ' note ' >"$scratch/got"
  if [ -s "$scratch/got" ]; then
    comment "$scratch/got"
    not_ok "$1: silent behind the fix"
  else ok "$1: silent behind the fix"; fi
}

for folder in "$SRCDIR"/tests/bugs/*/; do
  name=bugs/$(basename "$folder")
  chosen "$name" || continue
  found "$name"
  silent "$name"
done
finish
