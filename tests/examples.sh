#!/usr/bin/env bash
# Each kernel of examples/ becomes what stands beside it: NAME.ptx gives NAME.expected.ptx, and
# the remarks NAME.remarks where that is there.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1

for expected in examples/*/*.expected.ptx; do
  stem=${expected%.expected.ptx}
  [ -e "$expected" ] && chosen "$stem" || continue
  good=1
  if ! limited "$PTXOPT" -O tcgen05 "$stem.ptx" -o "$scratch/out.ptx" --remarks 2>"$scratch/remarks"; then
    comment "$scratch/remarks"
    good=0
  else
    same "$stem.ptx" "$expected" "$scratch/out.ptx" || good=0
    [ ! -e "$stem.remarks" ] || same "remarks" "$stem.remarks" "$scratch/remarks" || good=0
  fi
  if [ $good = 1 ]; then ok "$stem"; else not_ok "$stem"; fi
done
for kernel in examples/*/*.ptx; do
  case $kernel in *.expected.ptx) continue ;; esac
  [ -e "${kernel%.ptx}.expected.ptx" ] || not_ok "$kernel has its expected output beside it"
done
finish
