#!/usr/bin/env bash
# tests/roles/CASE.ptx: the facts that lint derives (--dump=roles) are those of CASE.roles.
set -u
. "$SRCDIR/tests/tap.sh"

for text in "$SRCDIR"/tests/roles/*.ptx; do
  name=roles/$(basename "$text" .ptx)
  chosen "$name" || continue
  "$PTXOPT" --dump=roles "$text" >"$scratch/got"
  if same "$name" "${text%.ptx}.roles" "$scratch/got"; then ok "$name"; else not_ok "$name"; fi
done
finish
