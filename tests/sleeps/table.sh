#!/usr/bin/env bash
# table.sh FOLDER...: prints what lint misses in the kernels of these folders. Two tables, as Markdown: by kind of
# synchronisation, and by folder. MOST=N blanks at most N of a kind in a kernel, EVERY=N takes one kernel in N;
# SHARE=FILE gets the last percentage of the first table; MISSES=FILE the instructions that the checker needs, that
# no style covers and that lint does not find; ROWS=FILE every site (see sleeps.c).
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for folder in "$@"; do
  find "$folder" -name '*.ptx' | sort | awk -v every="${EVERY:-1}" -v source="$(basename "$folder")" \
    'NR % every == 1 % every { print source "\t" $0 }'
done >"$scratch/list"
half() { awk -v odd="$1" 'NR % 2 == odd' "$scratch/list" | "$BUILDDIR/tests/sleeps/sleeps" -n "${MOST:-1000000}" >"$scratch/rows$1"; }
half 1 &
half 0
wait $!
cat "$scratch"/rows? | LC_ALL=C sort -t "$(printf '\t')" -k 1,2 -k 3,3n >"$scratch/rows"
[ -z "${ROWS:-}" ] || cp "$scratch/rows" "$ROWS"

awk -F '\t' -v share="${SHARE:-}" -v style_words=' note exit waited relayed acquired consumed apart meant idle twice ' '
  function percent(part, whole) { return whole ? sprintf("%.0f %%", 100 * part / whole) : "" }
  {
    if (!($4 in seen)) { seen[$4]; kinds[++kind_count] = $4 }
    blanked[$4]++
    found = $6 == "error" || $6 == "warning"
    if ($5 == "-") { alone[$4]; loud[$4] += found; next }
    if ($5 != "refused") next
    refused[$4]++
    if (found) loud[$4]++
    else if (index(style_words, " " $6 " ")) { style[$4]++; next }
    asked[$4]++
    all_found += found; all_asked++
    if (!(($1) in known)) { known[$1]; sources[++source_count] = $1 }
    cell_found[$1, $4] += found; cell_asked[$1, $4]++; row_found[$1] += found; row_asked[$1]++
  }
  END {
    split("wait::ld,wait::st,fence::before,fence::after,proxy fence,commit,mbarrier wait,mbarrier arrive,bar, barrier,cluster barrier,relinquish,dealloc", order, ",")
    order[9] = "bar, barrier"; order[10] = "cluster barrier"; order[11] = "relinquish"; order[12] = "dealloc"
    print "| blanked | sites | the checker refuses | style | expected | error or warning | |"
    print "|---|---|---|---|---|---|---|"
    for (k = 1; k <= 12; k++) {
      kind = order[k]
      if (!(kind in seen)) continue
      if (kind in alone) printf "| %s | %d | | | | %d | |\n", kind, blanked[kind], loud[kind]
      else printf "| %s | %d | %d | %d | %d | %d | %s |\n", kind, blanked[kind], refused[kind], style[kind], asked[kind], loud[kind], percent(loud[kind], asked[kind])
    }
    printf "| total expected | | | | %d | %d | %s |\n\n", all_asked, all_found, percent(all_found, all_asked)
    if (share != "") print (all_asked ? int(100 * all_found / all_asked) : 100) >share
    print "| source | wait::ld | wait::st | fence::before | fence::after | proxy fence | found |"
    print "|---|---|---|---|---|---|---|"
    for (s = 1; s <= source_count; s++) {
      line = "| " sources[s] " |"
      for (k = 1; k <= 5; k++)
        line = line " " (cell_asked[sources[s], order[k]] ? cell_found[sources[s], order[k]] "/" cell_asked[sources[s], order[k]] : "") " |"
      print line " " percent(row_found[sources[s]], row_asked[sources[s]]) " |"
    }
  }' "$scratch/rows"

if [ -n "${MISSES:-}" ]; then
  awk -F '\t' '$5 == "refused" && ($6 == "nothing" || $6 == "elsewhere") { print $4 "\t" $2 ":" $3 "\t" $6 "\t" $9 }' "$scratch/rows" | LC_ALL=C sort >"$MISSES"
fi
