#!/usr/bin/env bash
# sources-table.sh FOLDER...: the removals from the kernels of each folder, as Markdown, and the machine code of
# ptxas, from --stats, for one kernel in EVERY. PTXAS names the ptxas; if it does not assemble a kernel, only the
# sites are counted. wait::st and proxy fences, which cost more than a slot, have separate columns: removed, and
# their number.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

figures='
  def of($word; $types): [.items[] | select(.text | contains($word)) |
                           select(.type as $type | $types | index($type))] | length;
  [.files[] | {st: of("wait::st"; ["edit"]), st_sites: of("wait::st"; ["edit", "kept"]),
               proxy: of("fence.proxy.async"; ["edit"]), proxy_sites: of("fence.proxy.async"; ["edit", "kept"]),
               sites: .candidate_count, deleted: .edit_count,
               sass: [.kernels[] | .sass | select(. != null and .before != null and .after != null)]}] |
  .[] | [.sites, .deleted, (.sass | length),
         (.sass | map(.before.instructions) | add // 0), (.sass | map(.after.instructions) | add // 0),
         (.sass | map(.before.nops) | add // 0), (.sass | map(.after.nops) | add // 0),
         (.sass | map(.before.membars) | add // 0), (.sass | map(.after.membars) | add // 0),
         (.sass | map(select(.worse)) | length), .st, .st_sites, .proxy, .proxy_sites] | @tsv'

echo '| source | kernels | waits and fences | removed | of wait::st | of proxy fences | SASS instructions | NOPs | MEMBARs | kernels with more registers, spills or less occupancy |'
echo '|---|---|---|---|---|---|---|---|---|---|'
for folder in "$@"; do
  find "$folder" -name '*.ptx' | sort | awk -v every="${EVERY:-1}" 'NR % every == 1 % every' |
    while read -r kernel; do
      "$PTXOPT" --stats --report json ${PTXAS:+--ptxas "$PTXAS"} -o /dev/null "$kernel" 2>/dev/null </dev/null | jq -r "$figures"
    done | awk -F '\t' -v name="$(basename "$folder")" '
      { kernels++; for (i = 1; i <= NF; i++) sum[i] += $i }
      function change(i) { return sum[i] == sum[i + 1] ? sum[i] + 0 : sum[i] " → " sum[i + 1] }
      END {
        printf "| %s | %d | %d | %d | %d of %d | %d of %d | %s | %s | %s | %d |\n", name, kernels, sum[1], sum[2],
          sum[11], sum[12], sum[13], sum[14], change(4), change(6), change(8), sum[10]
      }'
done
