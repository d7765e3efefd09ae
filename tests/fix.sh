#!/usr/bin/env bash
# Checks `--lint --fix` on every text on which lint is tested: tests/fix/fix.py has the properties, and
# tests/fix/mended.tsv lists the corrected findings, so that a loss is noticed.
set -u
. "$SRCDIR/tests/tap.sh"
command -v python3 >/dev/null || skip_all "no python3 here"

while IFS=$'\t' read -r verdict name; do
  case $verdict in
    ok) ok "$name" ;;
    fail) not_ok "$name" ;;
    skip) skip "$name" "no ptxas on PATH" ;;
    *) echo "$verdict $name" ;;
  esac
done < <(timeout 3000 python3 "$SRCDIR/tests/fix/fix.py" "$scratch" || printf 'fail\tfix/fix.py comes to its end\n')
finish
