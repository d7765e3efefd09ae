#!/usr/bin/env bash
# What ptxopt does with one kernel, on one screen; `./bootstrap demo` builds the program and runs this. PTXOPT names the
# program. Every line shown after $ is run as it is shown, and its output is shortened to what matters first.
set -euo pipefail
cd "$(dirname "$0")/.."
ptxopt=${PTXOPT:-./ptxopt}
kernel=examples/gemm-1cta/gemm-1cta.ptx
out=$(mktemp -d "${TMPDIR:-/tmp}/demo.XXXXXX")

title() { printf '\n== %s\n' "$*"; }

# shown ARGUMENT...: the command as a user types it.
shown() { printf '$ ./ptxopt %s\n' "$*"; }

# folded LINES: standard input in lines of 80 columns, no more than that many.
folded() { fold -s -w 80 | sed "$1q"; }

title "What ptxopt did, and what ptxas made of it"
shown --stats "$kernel" -o "$out/new.ptx"
"$ptxopt" --stats "$kernel" -o "$out/new.ptx" 2>"$out/stats"
grep -E '^[^ ]|^  (removed|kept) ' "$out/stats" | folded 6
sed -n 's/^  sass  *\([^ :]*:\)\{0,1\} */  machine code  /; s/  spill store.*//; /^  machine/p' "$out/stats"

title "The first instruction that was removed"
printf '$ diff -U 1 %s %s\n' "$kernel" "$out/new.ptx"
diff -U 1 "$kernel" "$out/new.ptx" >"$out/diff" || true # they differ
sed -n 3,7p "$out/diff"

title "Why it is redundant"
shown --remarks=full "$kernel" -o /dev/null
"$ptxopt" --remarks=full "$kernel" -o /dev/null 2>&1 |
  sed -n '/ removed: .*\[wait-covered\]$/{p;n;s/^ *argument  */  /;p;q;}' | folded 9

title "What to type next"
cat <<'END_OF_NEXT'
./ptxopt --explain wait-covered          # the rule in full
./ptxopt --stats your.ptx -o /dev/null   # what is redundant in your kernel
./ptxopt --lint your.ptx                 # what is missing in your kernel
make check                               # the tests
doc/adopt.md describes how to use ptxopt in nvcc, CMake, Triton and others.
END_OF_NEXT
