#!/usr/bin/env bash
# Figures on the examples and on one kernel many times over: rates in MB/s, memory, instructions a
# byte (valgrind), and the time beside ptxas's. Nothing here fails for being slow.
set -euo pipefail
cd "$BUILDDIR"
bench=$BUILDDIR/tests/bench/bench
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# multiply FILE BYTES: FILE's functions under new names until the text is that large. What stands
# before the first function is kept once.
multiply() {
  awk -v want="$2" '
    !body && /^[[:space:]]*(\.visible |\.weak |\.extern )?\.(entry|func)/ { body = 1 }
    match($0, /\.(entry|func)[ \t]+(\([^)]*\)[ \t]*)?[A-Za-z_$%][A-Za-z0-9_$]*/) {
      name = substr($0, RSTART, RLENGTH); sub(/.*[ \t)]/, "", name); names[name] = 1
    }
    { if (body) part = part $0 "\n"; else head = head $0 "\n" }
    END {
      printf "%s", head
      for (size = length(head); size < want && length(part); n++) {
        copy = part
        for (name in names) { escaped = name; gsub(/\$/, "[$]", escaped); gsub(escaped, "&_" n, copy) }
        printf "%s", copy
        size += length(copy)
      }
    }' "$1"
}

kernels=()
for file in "$SRCDIR"/examples/*/*.ptx; do
  case $file in *.expected.ptx) ;; *) kernels+=("$file") ;; esac
done
[ "${#kernels[@]}" -gt 0 ] || { echo "no examples to measure"; exit 0; }
multiply "${kernels[0]}" 4000000 >"$scratch/4-MB-of-$(basename "${kernels[0]}")"
kernels+=("$scratch"/4-MB-of-*)

echo "rates in MB/s; check: share of the whole; peak: largest resident set, and times the input"
"$bench" "${kernels[@]}"

seconds_of() {
  local start end
  start=$(date +%s%N)
  "$@" >/dev/null 2>&1 || return 1
  end=$(date +%s%N)
  awk -v ns=$((end - start)) 'BEGIN { printf "%.2f", ns / 1e9 }'
}

echo
printf '%-26s %12s %12s %14s\n' "" "ptxopt (s)" "ptxas (s)" "instr./byte"
for file in "${kernels[@]}"; do
  own=$(seconds_of "$PTXOPT" -O tcgen05 "$file" -o "$scratch/out.ptx") || own=refused
  theirs=- per_byte=-
  case $file in "$scratch"/*) ;; *)
    if command -v "${PTXAS:-ptxas}" >/dev/null; then
      target=$(sed -n 's/^[[:space:]]*\.target[[:space:]]*\([a-z0-9_]*\).*/\1/p' "$file" | head -n 1)
      theirs=$(seconds_of "${PTXAS:-ptxas}" -arch="$target" "$file" -o "$scratch/out.cubin") || theirs=refused
    fi ;;
  esac
  if command -v valgrind >/dev/null; then
    per_byte=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" --once "$file" 2>&1 |
      awk -v bytes="$(wc -c <"$file")" '/Collected/ { printf "%.0f", $NF / bytes }')
  fi
  printf '%-26s %12s %12s %14s\n' "$(basename "$file")" "$own" "$theirs" "${per_byte:--}"
done

if command -v "${PTXAS:-ptxas}" >/dev/null; then
  echo
  bash "$SRCDIR/tests/bench/examples-table.sh"
fi
