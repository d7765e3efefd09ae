#!/usr/bin/env bash
# Long lists, many comments and hostile texts (crowds/crowds.c), from crowds/hostile.tsv and crowds/lists.tsv. The
# latter has a row for every rule of the grammar that repeats something.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1

# The rules of the grammar that repeat something, a line for each repetition.
awk '/^    [a-z_]+: (_|\$) =>/ { rule = $1; sub(/:/, "", rule) }
  { line = $0; sub(/\/\/.*/, "", line)
    for (n = gsub(/(repeat1?|separated|inRuns)\(/, "", line); n > 0 && rule != ""; n--) print rule }' \
  tree-sitter-ptx/grammar.js | sort >"$scratch/repeating"
cut -f 1 tests/crowds/lists.tsv | sed -n 's/^\([a-z_]*\).*/\1/p' | sort >"$scratch/listed"
comm -23 "$scratch/repeating" "$scratch/listed" >"$scratch/missing"
if [ -s "$scratch/repeating" ] && [ ! -s "$scratch/missing" ]; then
  ok "every rule of the grammar that repeats something has its rows in crowds/lists.tsv"
else
  comment "$scratch/missing"
  not_ok "every rule of the grammar that repeats something has its rows in crowds/lists.tsv"
fi

# The memmem of AddressSanitizer reads the whole text for each comment in it.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}intercept_memmem=0"
"$BUILDDIR/tests/crowds/crowds" tests/crowds/lists.tsv tests/crowds/hostile.tsv >"$scratch/results" 2>&1
status=$?
while IFS= read -r line; do
  case $line in
    'ok '*) ok "${line#* - }" ;;
    'not ok '*) not_ok "${line#* - }" ;;
    *) echo "# ${line#\# }" ;;
  esac
done <"$scratch/results"
[ "$status" = 0 ] || not_ok "crowds ends by itself"
finish
