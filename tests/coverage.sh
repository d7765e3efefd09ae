#!/usr/bin/env bash
# coverage.sh BUILD-FOLDER: prints for each file of src/ the share of lines that the tests run, the least covered file first.
set -euo pipefail
cd "$1"
find src -name '*.gcda' | sort | while read -r data; do
  name=$(basename "$data" .gcda).c
  gcov -n "$data" 2>/dev/null | awk -v name="$name" '
    /^File / { wanted = index($0, "/" name) > 0; path = $2 }
    wanted && /^Lines executed/ {
      split($0, part, /[:%]| of /)
      gsub(/\047|.*\/source\//, "", path)
      printf "%6.1f %% of %5d  %s\n", part[2], part[4], path
      wanted = 0
    }'
done | sort -n | awk '{ print; run += $1 * $4 / 100; all += $4 }
  END { if (all) printf "%6.1f %% of %5d  in all\n", 100 * run / all, all }'
