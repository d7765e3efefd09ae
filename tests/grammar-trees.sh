#!/usr/bin/env bash
# Properties of the tree of every text here; see grammar/trees.c.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1

find examples "$EXPANDED"/{rules,isa,never,pipeline} tests/grammar -name '*.ptx' | sort |
  tr '\n' '\0' | xargs -0 "$BUILDDIR/tests/grammar/trees" | while IFS= read -r line; do
  case $line in
    'ok '*) ok "${line#* - }" ;;
    'not ok '*) not_ok "${line#* - }" ;;
    '#'*) echo "$line" ;;
  esac
  echo "$tap_count" >"$scratch/count"
done
tap_count=$(cat "$scratch/count" 2>/dev/null || echo 0)
finish
