#!/usr/bin/env bash
# train.sh PTXOPT PTXOPT-VERIFY: the runs for a profile (`make pgo`) and for the test of a release (`make
# check-release`): each example alone, all in one process, the verdict on each result, and a text that is only
# copied. Fails if a result is not the expected one.
set -euo pipefail
. "$SRCDIR/tests/bench/texts.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mapfile -t kernels < <(examples)
for file in "${kernels[@]}"; do
  "$1" "$file" -o "$scratch/out.ptx"
  { diff -U1 --label input --label output "$file" "$scratch/out.ptx" || [ $? = 1 ]; } | cmp - "${file%.ptx}.expected.diff"
  "$2" "$file" "$scratch/out.ptx" >"$scratch/verdict"
done
mkdir "$scratch/all"
"$1" "${kernels[@]}" -o "$scratch/all/"
awk 'BEGIN { print ".version 9.0\n.target sm_100a\n.address_size 64"; while (++n < 30000) print "\tadd.s32 %r1, %r2, %r3;" }' >"$scratch/other.ptx"
"$1" "$scratch/other.ptx" -o "$scratch/out.ptx"
cmp "$scratch/other.ptx" "$scratch/out.ptx"
