#!/usr/bin/env bash
# If ptxas accepts a kernel or case, it accepts the output of ptxopt for it, with the options of the case.
# Only changed texts are compiled, first the output and, if that is refused, the input. PTXAS names the program;
# PTXAS= skips the test.
set -u
. "$SRCDIR/tests/tap.sh"

PTXAS=${PTXAS-ptxas}
command -v "${PTXAS:-none}" >/dev/null || skip_all "no ptxas on PATH"
cd "$SRCDIR" || exit 1

# accepts FILE LOG: whether ptxas accepts the file, for the target that the text names.
accepts() {
  local target
  target=$(sed -n 's/^[[:space:]]*\.target[[:space:]]*\([a-z0-9_]*\).*/\1/p' "$1" | head -n 1)
  limited "$PTXAS" -arch="${target:-sm_100a}" "$1" -o "$scratch/cubin" >"$2" 2>&1
}

# judge FILE: prints the result, as a word and the name of the file.
judge() {
  local options out=$scratch/out.ptx
  options=$(sed -n '1s|^// options:||p' "$1")
  # shellcheck disable=SC2086 # options are words
  if ! limited "$PTXOPT" -O tcgen05 $options "$1" -o "$out" >"$scratch/log" 2>&1; then
    comment "$scratch/log"
    echo "broken $1"
  elif [ ! -e "$out" ] || cmp -s "$1" "$out"; then
    echo "same $1"
  elif accepts "$out" "$scratch/log"; then
    echo "accepted $1"
  elif accepts "$1" "$scratch/log-before"; then
    comment "$scratch/log"
    echo "refused $1"
  else
    echo "foreign $1"
  fi
}

if [ "${1:-}" = --judge ]; then
  judge "$2"
  exit
fi

while read -r verdict file; do
  case $verdict in
    '#') echo "# $file" ;;
    same) ok "$file (unchanged)" ;;
    accepted) ok "$file" ;;
    foreign) skip "$file" "ptxas refuses the input too" ;;
    refused) not_ok "$file is still accepted" ;;
    *) not_ok "$file is optimized" ;;
  esac
done < <(find examples "$EXPANDED"/{pipeline,rules,isa} -name '*.ptx' \
  2>/dev/null | sort | xargs -r -P "$(nproc)" -n 1 bash "$SRCDIR/tests/ptxas.sh" --judge)
finish
