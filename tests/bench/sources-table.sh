#!/usr/bin/env bash
# sources-table.sh FOLDER...: two tables of doc/kernels.md, as Markdown: what is removed from the kernels of each folder, by
# kind; and the machine code of ptxas for one kernel in EVERY, from --stats. PTXAS names the ptxas; if it does not assemble a
# kernel, the second table has only its sites, and standard error names the kernel.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# kernels FOLDER EVERY
kernels() {
  find "$1" -name '*.ptx' | sort | awk -v every="$2" 'NR % every == 1 % every'
}

# Sites and removed of all, and of each kind.
sites='
  def has($word): select(.text | contains($word));
  def count($types): map(select(.type as $type | $types | index($type))) | length;
  def pair: [count(["edit", "kept"]), count(["edit"])];
  .files[] | [.items[] | select(.type == "edit" or .type == "kept")] |
  [pair, ([.[] | has("wait::ld")] | pair), ([.[] | has("wait::st")] | pair),
   ([.[] | has("tcgen05.fence")] | pair), ([.[] | has("fence.proxy")] | pair)] | flatten | @tsv'

measured='
  [.files[] | {sites: .candidate_count, removed: .edit_count,
               sass: [.kernels[] | .sass | select(. != null and .before != null and .after != null)]}] |
  .[] | [.sites, .removed, (.sass | length),
         (.sass | map(.before.instructions) | add // 0), (.sass | map(.after.instructions) | add // 0),
         (.sass | map(.before.nops) | add // 0), (.sass | map(.after.nops) | add // 0),
         (.sass | map(.before.membars) | add // 0), (.sass | map(.after.membars) | add // 0),
         (.sass | map(select(.worse)) | length)] | @tsv'

echo '| source | kernels | waits and fences | removed | of wait::ld | of wait::st | of fences | of proxy fences |'
echo '|---|---|---|---|---|---|---|---|'
for folder in "$@"; do
  kernels "$folder" 1 | while read -r kernel; do
    "$PTXOPT" --report json -o /dev/null "$kernel" 2>/dev/null </dev/null | jq -r "$sites"
  done | awk -F '\t' -v name="$(basename "$folder")" '
    { kernels++; for (i = 1; i <= NF; i++) sum[i] += $i }
    function of(i) { return sum[i] ? sum[i + 1] " of " sum[i] : "none there" }
    END { printf "| %s | %d | %d | %d | %s | %s | %s | %s |\n", name, kernels, sum[1], sum[2], of(3), of(5), of(7), of(9) }'
done

echo
echo '| source | kernels | waits and fences | removed | SASS instructions | NOPs | MEMBARs | kernels with more registers, spills or less occupancy |'
echo '|---|---|---|---|---|---|---|---|'
for folder in "$@"; do
  kernels "$folder" "${EVERY:-1}" | while read -r kernel; do
    "$PTXOPT" --stats --report json ${PTXAS:+--ptxas "$PTXAS"} -o /dev/null "$kernel" 2>/dev/null </dev/null |
      jq -r "$measured" | tee "$scratch/figures"
    awk -F '\t' '$3' "$scratch/figures" | grep -q . || echo "not assembled: $kernel" >&2
  done | awk -F '\t' -v name="$(basename "$folder")" '
    { kernels++; for (i = 1; i <= NF; i++) sum[i] += $i }
    function change(i) { return sum[i] == sum[i + 1] ? sum[i] + 0 : sum[i] " → " sum[i + 1] }
    END {
      printf "| %s | %d | %d | %d | %s | %s | %s | %d |\n", name, kernels, sum[1], sum[2], change(4), change(6), change(8), sum[10]
    }'
done
