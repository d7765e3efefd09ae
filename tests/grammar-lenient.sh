#!/usr/bin/env bash
# tree-sitter-ptx/lenient.tsv lists the texts that ptxas calls a syntax error and the grammar accepts, each with its
# reason. The list must be complete, and the grammar must accept each text in it. The texts are those of
# PTXOPT_SHARED/ptx-syntax, with the names in its index.
set -u
. "$SRCDIR/tests/tap.sh"

oracle=$PTXOPT_SHARED/ptx-syntax
[ -r "$oracle/index.tsv" ] || skip_all "no ptx-syntax beside the tree"

cut -f 1,2,3 "$oracle/index.tsv" | awk -F '\t' '$2 == "SYN"' >"$scratch/refused"
cut -f 1 "$scratch/refused" | (cd "$oracle" && xargs "$BUILDDIR/tests/grammar/parse") |
  awk -F '\t' '$2 == "ok" { print $1 }' >"$scratch/accepted"
grep -v '^# ' "$SRCDIR/tree-sitter-ptx/lenient.tsv" >"$scratch/listed"

while IFS=$'\t' read -r file _ name; do
  name=$(echo "$name" | sed 's/^ *//; s/ *$//')
  listed=$(awk -F '\t' -v name="$name" '$1 == name { print $2; exit }' "$scratch/listed")
  if grep -qx "$file" "$scratch/accepted"; then
    if [ -n "$listed" ]; then ok "\"$name\" is accepted for a reason: ${listed//#/\\#}"
    else not_ok "\"$name\" ($file) is accepted, so lenient.tsv gives a reason"; fi
  elif [ -n "$listed" ]; then
    not_ok "\"$name\" ($file) is refused, so lenient.tsv does not list it"
  else
    ok "\"$name\" is refused as ptxas does"
  fi
done <"$scratch/refused"

cut -f 1 "$scratch/listed" | sort >"$scratch/names"
cut -f 3 "$scratch/refused" | sed 's/^ *//; s/ *$//' | sort >"$scratch/known"
if [ -z "$(comm -23 "$scratch/names" "$scratch/known")" ]; then
  ok "every line of lenient.tsv names one of the oracle's texts"
else
  comm -23 "$scratch/names" "$scratch/known" | comment -
  not_ok "every line of lenient.tsv names one of the oracle's texts"
fi
finish
