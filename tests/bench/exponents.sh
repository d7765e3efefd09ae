#!/usr/bin/env bash
# Measures how the cost grows with the text. For each family (all, or the named ones): the instructions that
# callgrind counts for its two sizes, the exponent for the number of bytes, and, of the functions with at least a
# twentieth of the larger run, those that grow fastest. Slow results are not failures: a run that takes longer than
# BENCH_SECONDS (900) is stopped. BENCH_COMMAND is measured instead of the library, with the text as its last
# argument, for example './ptxopt -o /dev/null --rules none'. The families of lint are measured with ptxopt --lint;
# "gave up" means that a code of lint gave up for the larger text.
set -euo pipefail
families=$SRCDIR/tests/bench/families.sh
command -v valgrind >/dev/null || { echo "no exponents without valgrind"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# count NAME SIZE: writes $scratch/SIZE.ptx, and the cost of each function into $scratch/SIZE.cost, the total first.
count() {
  bash "$families" "$1" "$2" >"$scratch/$2.ptx"
  local command=${BENCH_COMMAND:-"$BUILDDIR/tests/bench/bench --once"}
  if [ -z "${BENCH_COMMAND:-}" ] && [[ $1 == lint-* ]]; then command="$BUILDDIR/ptxopt --lint"; fi
  # shellcheck disable=SC2086 # a command is words
  timeout "${BENCH_SECONDS:-900}" valgrind --tool=callgrind --callgrind-out-file="$scratch/$2.out" \
    $command "$scratch/$2.ptx" >/dev/null 2>"$scratch/log" || return 1
  if grep refused "$scratch/log" >&2; then return 1; fi
  # 1,234 (5.6%)  file.c:name'2 [library]
  callgrind_annotate --threshold=100 --auto=no "$scratch/$2.out" |
    sed -nE 's/^ *([0-9,]+) +\([ 0-9.]+%\) +(PROGRAM TOTALS|[^ ]*:[^ ]+).*/\1 \2/p' | tr -d , |
    awk '{ sub(/^.*\//, "", $2); print $1, $2 }' >"$scratch/$2.cost"
}

# compare BYTES BYTES FILE FILE: prints the exponent, and the functions that grow.
compare() {
  awk -v grown="$(awk -v a="$1" -v b="$2" 'BEGIN { print log(b / a) }')" '
    FNR == 1 { file++ }
    { cost[file, $2] += $1 }
    file == 2 && !seen[$2]++ { names[++count] = $2 }
    END {
      whole = cost[2, "PROGRAM"]
      printf "%14.0f %8.2f ", whole, log(whole / cost[1, "PROGRAM"]) / grown
      for (i = 1; i <= count; i++) {
        name = names[i]
        if (name == "PROGRAM" || cost[2, name] < whole / 20) continue
        was = cost[1, name] ? cost[1, name] : 1
        exponent = log(cost[2, name] / was) / grown
        if (exponent > 1.1) printf "  %s %.2f (%.0f%%)", name, exponent, 100 * cost[2, name] / whole
      }
      printf "\n"
    }' "$3" "$4"
}

printf '%-20s %8s %10s %14s %8s   %s\n' "" n bytes instructions exponent "functions above 1.1"
while read -r name small large; do
  [ "$#" = 0 ] || [[ " $* " = *" $name "* ]] || continue
  if count "$name" "$small" && count "$name" "$large"; then
    few=$(wc -c <"$scratch/$small.ptx") many=$(wc -c <"$scratch/$large.ptx")
    printf '%-20s %8d %10d %s\n' "$name" "$large" "$many" \
      "$(compare "$few" "$many" "$scratch/$small.cost" "$scratch/$large.cost")$(sed -nE 's/.*lint did not search this function for (.*): it would.*/  gave up: \1/p' "$scratch/log")"
  else
    printf '%-20s %8d %10s %14s\n' "$name" "$large" - "given up"
  fi
done < <(bash "$families")
