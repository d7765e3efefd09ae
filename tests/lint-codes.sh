#!/usr/bin/env bash
# tests/lint-codes/CODE/CASE.ptx: what lint says of it is CASE.expect, lines of LINE LEVEL CODE
# WITNESS_LINE; an empty one says that nothing is wrong.
set -u
. "$SRCDIR/tests/tap.sh"

for text in "$SRCDIR"/tests/lint-codes/*/*.ptx; do
  [ -e "$text" ] || continue
  name=${text#"$SRCDIR"/tests/}
  chosen "${name%.ptx}" || continue
  [ -e "${text%.ptx}.expect" ] || [ -n "${UPDATE:-}" ] || { not_ok "$name has an .expect"; continue; }
  "$BUILDDIR/tests/lint_findings" "$text" >"$scratch/got"
  if same "$name" "${text%.ptx}.expect" "$scratch/got"; then ok "${name%.ptx}"; else not_ok "${name%.ptx}"; fi
done
finish
