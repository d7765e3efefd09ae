#!/usr/bin/env bash
# For each kernel of examples/ the results are the files beside it: NAME.ptx changes by NAME.expected.diff, and the remarks are
# NAME.remarks if that file exists.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1

for expected in examples/*/*.expected.diff; do
  stem=${expected%.expected.diff}
  [ -e "$expected" ] && chosen "$stem" || continue
  good=1
  if ! limited "$PTXOPT" -O tcgen05 "$stem.ptx" -o "$scratch/out.ptx" --remarks 2>"$scratch/remarks"; then
    comment "$scratch/remarks"
    good=0
  else
    diff -U1 --label input --label output "$stem.ptx" "$scratch/out.ptx" >"$scratch/diff"
    same "$stem.ptx" "$expected" "$scratch/diff" || good=0
    [ ! -e "$stem.remarks" ] || same "remarks" "$stem.remarks" "$scratch/remarks" || good=0
  fi
  if [ $good = 1 ]; then ok "$stem"; else not_ok "$stem"; fi
done
for kernel in examples/*/*.ptx; do
  [ -e "${kernel%.ptx}.expected.diff" ] || not_ok "$kernel has its expected change beside it"
done
finish
