#!/usr/bin/env bash
# Runs every command line of README.md, doc/, the manuals and the pages of server/ as it is written there.
# pages/commands.awk extracts them from the pages (except those that show their output, which readme.sh runs). Each has
# a row in pages/lines.tsv:
#
#   COMMAND STATUS NEEDS CONDITION     separated by tabs
#
# The command ends with STATUS, and then the shell condition CONDITION is true. NEEDS lists programs, and names that
# `has` below knows; "nothing" for none. With - for STATUS the command is not run, and NEEDS gives the reason. A command
# without a row fails, and so does a row whose command is on no page. The commands of a block are run in one shell, in a folder
# that `furnish` fills with the files that they name; each page has a separate ~.
set -u
# The pages name a port, which another process may use: the test runs in a separate network namespace, if that is allowed.
if [ -n "${PAGES_ALONE:-}" ]; then
  ip link set lo up
elif unshare -rn ip link set lo up 2>/dev/null; then
  exec env PAGES_ALONE=1 unshare -rn bash "$0"
fi
. "$SRCDIR/tests/tap.sh"
for name in $(compgen -e PTXOPT_); do unset "$name"; done
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS MAKEFLAGS MFLAGS MAKELEVEL

# The installed files, and the package of the wheel.
mkdir "$scratch/bin"
for program in ptxopt ptxopt-verify ptxopt-ptxas ptxoptd; do ln -s "$BUILDDIR/$program" "$scratch/bin"; done
command -v python >/dev/null || ln -s "$(command -v python3 || echo nowhere)" "$scratch/bin/python"
export PATH=$scratch/bin:$PATH PYTHONPATH=$SRCDIR/python PYTHONDONTWRITEBYTECODE=1
export PYTEST_PLUGINS=ptxopt.pytest PTXOPT_LIBRARY=$BUILDDIR/.libs/libptxopt.so PTXOPT_CACHE_DIR=$scratch/cache PTXOPT_LOG=$scratch/log

# ---- what rows need, and the functions of their conditions ----

listens() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# has NEED: whether it is present.
has() {
  case $1 in
    nothing) ;;
    ptxas) [ -n "${PTXAS-ptxas}" ] && command -v ptxas >/dev/null ;;
    nvcc-of-sm_100a) has ptxas && nvcc --dryrun -gencode arch=compute_100a,code=sm_100a -x cu -c /dev/null -o /dev/null 2>/dev/null ;;
    clang-of-sm_100a)
      clang++ -x cuda --cuda-gpu-arch=sm_100a --cuda-device-only -nocudainc -nocudalib -S /dev/null -o /dev/null 2>/dev/null
      ;;
    python-package) python -c 'import ptxopt; ptxopt.rules()' 2>/dev/null ;;
    triton | cutlass | tilelang) python -c "import pytest, $1" 2>/dev/null ;;
    ptxoptd) [ -x "$BUILDDIR/ptxoptd" ] ;;
    port-*) ! listens "${1#port-}" ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# soon COMMAND...: whether it succeeds within half a minute; a server that was just started needs some time.
soon() {
  local try
  for try in {1..300}; do "$@" && return; sleep 0.1; done
  echo "not within $try tries: $*"
  return 1
}

# waits N FILE...: whether each file has N waits.
waits() {
  local file
  for file in "${@:2}"; do [ "$(grep -c 'tcgen05\.wait' "$file")" = "$1" ] || return 1; done
}

# logged WORD: whether ptxopt-ptxas had one module, with that result.
logged() { [ "$(grep -o '"result":"[a-z-]*"' "$PTXOPT_LOG")" = "\"result\":\"$1\"" ]; }

# ---- the folder ----

# Each kernel has two waits, of which the second is redundant. The exceptions are the broken kernel and the wrong one, which
# free their columns too early.
furnish() {
  local name kernel=$SRCDIR/tests/cli/inputs/extra-wait.ptx
  rm -rf "$scratch/box"
  mkdir -p "$scratch/box"/{build,kernels,project}
  cd "$scratch/box" || exit
  for name in in k before build/one build/two kernels/one; do cp "$kernel" $name.ptx; done
  "$PTXOPT" k.ptx -o after.ptx
  cp "$EXPANDED/bugs/made-jump-table-roles-free-too-early/before.ptx" kernels/broken.ptx
  cp "$EXPANDED/bugs/made-cleared-and-freed/before.ptx" wrong.ptx
  cp "$SRCDIR"/examples/lint-in-ci/*.py .
  for name in k kernel project/kernel; do cp "$SRCDIR/tests/clients/epilogue.cu" $name.cu; done
  printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(kernel LANGUAGES CXX CUDA)' \
    'add_library(kernel OBJECT kernel.cu)' >project/CMakeLists.txt
  printf '%s\n' 'k.cubin: k.ptx' '	ptxopt-ptxas ptxas -arch=sm_100a k.ptx -o k.cubin' >Makefile
  # shellcheck disable=SC2016 # it is the script's
  printf '%s\n' '#!/bin/sh' '[ "$(grep -c tcgen05.wait "$1")" = 2 ]' >test.sh
  chmod +x test.sh
  ln -s "$BUILDDIR/ptxoptd" ptxoptd
}

# ---- the commands ----

# try_command NAME COMMAND STATUS CONDITION: runs it in this shell, because later commands use its variables.
try_command() {
  local got
  rm -f "$PTXOPT_LOG"
  eval "$2" >"$scratch/said" 2>&1 </dev/null
  got=$?
  if [ $got != "$3" ]; then
    echo "# status $got, expected $3"
  elif eval "$4" >>"$scratch/said" 2>&1; then
    echo "ok $1"
    return
  else
    echo "# not so afterwards: $4"
  fi
  comment "$scratch/said"
  echo "not ok $1"
}

declare -A rows
while IFS= read -r line; do
  case $line in '#'* | '') ;; *) rows[${line%%$'\t'*}]=${line#*$'\t'} ;; esac
done <"$SRCDIR/tests/pages/lines.tsv"

# judge_command PAGE COMMAND
judge_command() {
  local status needs condition need lacks=
  if [ -z "${rows[$2]:-}" ]; then
    echo "not ok $1: $2: has a row in tests/pages/lines.tsv"
    return
  fi
  IFS=$'\t' read -r status needs condition <<<"${rows[$2]}"
  if [ "$status" = - ]; then
    echo "skip $1: $2"$'\t'"$needs"
    return
  fi
  for need in $needs; do has "$need" || lacks+=" $need"; done
  if [ -n "$lacks" ]; then echo "skip $1: $2"$'\t'"not here:$lacks"; else
    try_command "$1: $2" "$2" "$status" "$condition"
  fi
}

# run_block PAGE COMMAND...: runs the commands in a separate shell, which ends its background processes.
run_block() (
  furnish
  trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
  for command in "${@:2}"; do judge_command "$1" "$command"; done
)

for page in README.md $(cd "$SRCDIR" && echo doc/*.md doc/man/*.man server/*.md); do
  export HOME="$scratch/home/$page"
  mkdir -p "$HOME"
  block=1 commands=()
  while IFS=$'\t' read -r number command; do
    if [ "$number" != "$block" ]; then run_block "$page" "${commands[@]}"; commands=(); fi
    block=$number
    commands+=("$command")
    echo "$command" >>"$scratch/met"
  done < <(awk -f "$SRCDIR/tests/pages/commands.awk" "$SRCDIR/$page")
  run_block "$page" "${commands[@]}"
done >"$scratch/results"
for command in "${!rows[@]}"; do
  grep -qxF -- "$command" "$scratch/met" || echo "not ok lines.tsv: on some page is: $command"
done >>"$scratch/results"

while IFS= read -r line; do
  case $line in
    'ok '*) ok "${line#ok }" ;;
    'not ok '*) not_ok "${line#not ok }" ;;
    'skip '*) line=${line#skip } && skip "${line%$'\t'*}" "${line#*$'\t'}" ;;
    *) echo "$line" ;;
  esac
done <"$scratch/results"
finish
