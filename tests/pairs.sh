#!/usr/bin/env bash
# tests/pairs: checks that lint finds the fault of each pair, and nothing in the corrected text, as listed in
# pairs/found.tsv. That file also lists missed faults, so it shows when lint finds more or less. In correct kernels lint finds nothing.
set -u
. "$SRCDIR/tests/tap.sh"

# finds TEXT LINE...: true if an error or warning of lint names one of the lines.
finds() {
  limited "$BUILDDIR/tests/lint_findings" "$1" |
    awk -v lines=" ${*:2} " '$2 != "note" && index(lines, " " $1 " ") { found = 1 } END { exit !found }'
}

# says TEXT: true if lint reports any error or warning.
says() { limited "$BUILDDIR/tests/lint_findings" "$1" | grep -qE '^[0-9]+ (error|warning) '; }

for bad in "$SRCDIR"/tests/pairs/*.bad.txt; do
  name=$(basename "$bad" .bad.txt)
  chosen "pairs/$name" || continue
  line=$(sed -n '1s|^// lint: [^ ]* \([0-9]*\).*|\1|p' "$bad")
  partner=$(sed -n '2s|^// with: \([0-9]*\).*|\1|p' "$bad")
  [ -n "$line" ] || { not_ok "pairs/$name says where its fault is"; continue; }
  found=missed good=quiet
  if finds "$bad" "$line" "$partner"; then found=found; fi
  if says "${bad%.bad.txt}.good.txt"; then good=noisy; fi
  printf '%s\t%s\t%s\n' "$name" "$found" "$good" >>"$scratch/all"
  if grep -qxF "$name	$found	$good" "$SRCDIR/tests/pairs/found.tsv"; then ok "pairs/$name"; else
    echo "# now $found, its mended text $good"
    [ -n "${UPDATE:-}" ] || not_ok "pairs/$name"
  fi
done
# Correct kernels that belong to no pair.
for good in "$SRCDIR"/tests/pairs/ok_*.good.txt; do
  name=$(basename "$good" .good.txt)
  chosen "pairs/$name" || continue
  if says "$good"; then not_ok "pairs/$name: nothing is said"; else ok "pairs/$name"; fi
done
if [ -n "${UPDATE:-}" ] && [ -z "${CASES:-}" ]; then
  { printf 'pair\tfault\tmended text\n'; cat "$scratch/all"; } >"$SRCDIR/tests/pairs/found.tsv"
  ok "pairs/found.tsv is written"
fi
finish
