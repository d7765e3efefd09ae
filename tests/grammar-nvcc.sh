#!/usr/bin/env bash
# The output of nvcc for tests/grammar/nvcc/*.cu parses without an ERROR: for three targets, optimized,
# with line numbers and for the debugger. NVCC names the compiler; NVCC= skips it.
set -u
. "$SRCDIR/tests/tap.sh"

NVCC=${NVCC-nvcc}
command -v "${NVCC:-none}" >/dev/null || skip_all "no nvcc on PATH"

# compile SOURCE TARGET NAME OPTION...
compile() {
  local source=$1 target=$2 out=$scratch/$3.ptx
  shift 3
  limited "$NVCC" -ptx -std=c++17 -arch="$target" "$@" "$source" -o "$out" >"$out.log" 2>&1 || rm -f "$out"
}

what=()
for source in "$SRCDIR"/tests/grammar/nvcc/*.cu; do
  for target in sm_80 sm_90a sm_100a; do
    for flag in -O3 -lineinfo -G; do
      what+=("$(basename "$source" .cu) $target $flag")
      compile "$source" "$target" "$((${#what[@]} - 1))" "$flag" &
      [ $((${#what[@]} % $(nproc))) -ne 0 ] || wait
    done
  done
done
wait

for i in "${!what[@]}"; do
  if [ ! -e "$scratch/$i.ptx" ]; then
    if grep -q "Unsupported gpu architecture\|not defined for option" "$scratch/$i.ptx.log"; then
      skip "what nvcc makes of ${what[i]} parses" "this nvcc does not know the target"
    else
      grep -v warning "$scratch/$i.ptx.log" | comment -
      not_ok "nvcc compiles ${what[i]}"
    fi
    continue
  fi
  verdict=$("$BUILDDIR/tests/grammar/parse" "$scratch/$i.ptx" | cut -f 2)
  bytes=$(wc -c <"$scratch/$i.ptx")
  if [ "$verdict" = ok ]; then ok "what nvcc makes of ${what[i]} parses, bytes: $bytes"
  else
    echo "# $verdict"
    not_ok "what nvcc makes of ${what[i]} parses, bytes: $bytes"
  fi
done
finish
