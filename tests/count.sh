#!/usr/bin/env bash
# count.sh TEST-SUITE.LOG...: prints "N passed, N failed[, N skipped]" from the logs of make check. A missing log counts
# as one failure.
set -euo pipefail
passed=0 failed=0 skipped=0
for log in "$@"; do
  if [ ! -r "$log" ]; then
    failed=$((failed + 1))
    continue
  fi
  while read -r _ word count; do
    case $word in
      PASS: | XFAIL:) passed=$((passed + count)) ;;
      FAIL: | XPASS: | ERROR:) failed=$((failed + count)) ;;
      SKIP:) skipped=$((skipped + count)) ;;
    esac
  done < <(grep -E '^# (PASS|XFAIL|FAIL|XPASS|ERROR|SKIP): +[0-9]+$' "$log")
done
printf '%d passed, %d failed' "$passed" "$failed"
if [ "$skipped" -gt 0 ]; then printf ', %d skipped' "$skipped"; fi
echo
[ "$failed" -eq 0 ]
