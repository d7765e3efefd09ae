#!/usr/bin/env bash
# ptxopt-ptxas with real compilers: each method of doc/adopt.md builds a real kernel, the log shows a removal, and
# ptxas gets the output of ptxopt. Compilers that are not installed are skipped.
set -u
. "$SRCDIR/tests/tap.sh"
for name in $(compgen -e PTXOPT_); do unset "$name"; done
# The settings of an outer make must not reach the make that CMake starts, which warns about them.
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS MAKEFLAGS MFLAGS MAKELEVEL
kernel=$SRCDIR/examples/gemm-1cta/gemm-1cta.cu
wrapper=$BUILDDIR/ptxopt-ptxas
PTXOPT_LOG=$scratch/log
PTXOPT_CACHE_DIR=$scratch/cache
export PTXOPT_LOG PTXOPT_CACHE_DIR
# built WAY COUNT RESULT COMMAND...: passes if the command succeeds, prints nothing, and COUNT modules have RESULT.
built() {
  local way=$1 want=$2 result=$3 count
  shift 3
  rm -f "$PTXOPT_LOG"
  if ! (cd "$scratch" && "$@") >"$scratch/said" 2>&1 || [ -s "$scratch/said" ]; then
    comment "$scratch/said"
    not_ok "$way"
    return
  fi
  count=$(grep -c "\"result\":\"$result\"" "$PTXOPT_LOG" 2>/dev/null)
  if [ "$count" = "$want" ]; then ok "$way"; else
    echo "# $want modules expected to be $result"
    comment "$PTXOPT_LOG"
    not_ok "$way"
  fi
}

# same_text WAY FILE: passes if ptxas got this text last. (The objects are not compared, since ptxas may make two
# different objects of one text.)
same_text() {
  if [ -s "$scratch/$2" ] && cmp -s "$scratch/$2" "$scratch/got"; then ok "$1"; else
    diff "$scratch/$2" "$scratch/got" 2>&1 | head -n 20 | comment -
    not_ok "$1"
  fi
  rm -f "$scratch/got"
}

nvcc_ways() {
  local real
  real=$(command -v ptxas)
  printf '%s\n' '#!/bin/sh' "for word; do case \$word in *.ptx) cp \"\$word\" '$scratch/got' ;; esac; done" \
    "exec '$real' \"\$@\"" >"$scratch/recorder"
  chmod +x "$scratch/recorder"
  nvcc -arch=sm_100a -ptx "$kernel" -o "$scratch/plain.ptx" && "$PTXOPT" "$scratch/plain.ptx" -o "$scratch/better.ptx"
  export PTXOPT_REAL_PTXAS=$scratch/recorder
  built "nvcc --ptxas-prefix" 1 rewritten \
    nvcc -arch=sm_100a --ptxas-prefix "$wrapper" -cubin "$kernel" -o prefix.cubin
  same_text "nvcc --ptxas-prefix gives ptxas ptxopt's output" better.ptx
  built "NVCC_PREPEND_FLAGS" 1 rewritten \
    env NVCC_PREPEND_FLAGS="--ptxas-prefix $wrapper" nvcc -arch=sm_100a -cubin "$kernel" -o variable.cubin
  same_text "NVCC_PREPEND_FLAGS gives ptxas the same" better.ptx
  unset PTXOPT_REAL_PTXAS
  # A ptxas that is killed when it reads the output of ptxopt: ptxopt-ptxas falls back to the input.
  printf '%s\n' '#!/bin/sh' 'case $* in */ptxopt-*) kill -9 $$ ;; esac' "exec '$real' \"\$@\"" >"$scratch/killed"
  chmod +x "$scratch/killed"
  "$wrapper" --make-shim "$scratch/shim" >/dev/null
  ln -sfn "$scratch/recorder" "$scratch/shim/bin/ptxas.real"
  built "nvcc of a shim" 1 rewritten "$scratch/shim/bin/nvcc" -arch=sm_100a -cubin "$kernel" -o shim.cubin
  same_text "nvcc of a shim gives the ptxas of the shim the same" better.ptx
  built "PTXOPT_DISABLE" 1 disabled env PTXOPT_DISABLE=1 "$scratch/shim/bin/nvcc" -arch=sm_100a -cubin "$kernel" -o off.cubin
  same_text "PTXOPT_DISABLE gives it the original" plain.ptx
  ln -sfn "$real" "$scratch/shim/bin/ptxas.real"
  built "nvcc -dc -lineinfo" 1 rewritten \
    "$scratch/shim/bin/nvcc" -gencode arch=compute_100a,code=sm_100a -dc -lineinfo "$kernel" -o relocatable.o
  built "nvcc -fatbin for two architectures in parallel" 2 rewritten \
    "$scratch/shim/bin/nvcc" -t 4 -gencode arch=compute_100a,code=sm_100a \
    -gencode arch=compute_103a,code=sm_103a -fatbin "$kernel" -o two.fatbin
  built "PTX that is kept in the object is only looked at" 1 passed-on \
    "$scratch/shim/bin/nvcc" -gencode arch=compute_100a,code=compute_100a -c "$kernel" -o ptx.o
}

cmake_way() {
  mkdir "$scratch/project" && cp "$SRCDIR/tests/clients/epilogue.cu" "$scratch/project"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(epilogue LANGUAGES CXX CUDA)' \
    'add_library(epilogue OBJECT epilogue.cu)' >"$scratch/project/CMakeLists.txt"
  built "CMAKE_CUDA_FLAGS" 1 rewritten sh -c 'cmake -S project -B project/build -DCMAKE_CUDA_ARCHITECTURES=100a-real \
    -DCMAKE_CUDA_FLAGS="--ptxas-prefix $1" >log.cmake && cmake --build project/build >>log.cmake' sh "$wrapper"
}

# served WAY OBJECT COMMAND...: passes if the object comes from the cache, and ptxas is not called.
served() {
  rm -f "$scratch/$2" "$PTXOPT_LOG"
  if (cd "$scratch" && "${@:3}") && [ -s "$scratch/$2" ] && [ ! -e "$PTXOPT_LOG" ]; then ok "$1"; else not_ok "$1"; fi
}

# ccache does not know which programs nvcc runs, so it needs the version of ptxopt and its flags.
ccache_ways() {
  export CCACHE_DIR=$scratch/ccache CCACHE_EXTRAFILES=$wrapper
  local compile=(ccache "$scratch/shim/bin/nvcc" -gencode "arch=compute_100a,code=sm_100a" -c "$kernel" -o ccached.o)
  built "ccache and a shim" 1 rewritten "${compile[@]}"
  served "ccache has it the second time" ccached.o "${compile[@]}"
  built "ccache with other flags, and told so" 1 unchanged \
    env PTXOPT_FLAGS='-O none' CCACHE_NAMESPACE='-O none' "${compile[@]}"
  ccache_answers "${compile[@]}"
}

# ccache_answers COMPILE...: PTXOPT_DISABLE and a fallback, without and with the ccache settings for them (doc/adopt.md).
ccache_answers() {
  served "ccache does not see PTXOPT_DISABLE" ccached.o env PTXOPT_DISABLE=1 "$@"
  built "ccache with PTXOPT_DISABLE, and told so" 1 disabled env PTXOPT_DISABLE=1 CCACHE_NAMESPACE=disabled "$@"
  local fallbacks=$PTXOPT_CACHE_DIR/fallbacks
  CCACHE_DIR=$scratch/ccache.fallback
  built "ccache and a fallback" 1 refused env PTXOPT_REAL_PTXAS="$scratch/killed" "$@"
  served "ccache has the object of a fallback" ccached.o "$@"
  CCACHE_EXTRAFILES=$wrapper:$fallbacks CCACHE_DIR=$scratch/ccache.told
  rm -f "$fallbacks" && touch "$fallbacks"
  built "ccache, told of the fallbacks, and a fallback" 1 refused env PTXOPT_REAL_PTXAS="$scratch/killed" "$@"
  built "ccache, told of the fallbacks, compiles once more" 1 rewritten "$@"
  served "ccache, told of the fallbacks, has it then" ccached.o "$@"
}

# sccache caches the output of ptxopt-ptxas, and separates the results of other flags if configured to.
sccache_ways() {
  export SCCACHE_DIR=$scratch/sccache SCCACHE_SERVER_UDS=$scratch/sccache.sock
  local compile=(sccache "$scratch/shim/bin/nvcc" -gencode "arch=compute_100a,code=sm_100a" -c "$kernel" -o cached.o)
  built "sccache and a shim" 1 rewritten "${compile[@]}"
  served "sccache has it the second time" cached.o "${compile[@]}"
  built "sccache with other flags, and told so" 1 unchanged \
    env PTXOPT_FLAGS='-O none' SCCACHE_C_CUSTOM_CACHE_BUSTER='-O none' "${compile[@]}"
  served "sccache does not see PTXOPT_DISABLE" cached.o env PTXOPT_DISABLE=1 "${compile[@]}"
  built "sccache with PTXOPT_DISABLE, and told so" 1 disabled \
    env PTXOPT_DISABLE=1 SCCACHE_C_CUSTOM_CACHE_BUSTER=disabled "${compile[@]}"
  built "sccache and a fallback" 1 refused \
    env PTXOPT_REAL_PTXAS="$scratch/killed" SCCACHE_C_CUSTOM_CACHE_BUSTER=fallback "${compile[@]}"
  served "sccache has the object of a fallback" cached.o env SCCACHE_C_CUSTOM_CACHE_BUSTER=fallback "${compile[@]}"
  sccache --stop-server >/dev/null 2>&1
}

# The installed clang does not know tcgen05; it treats a text with tcgen05 in the same way as others.
clang_ways() {
  printf '%s\n' '__attribute__((global)) void k(int *p) { asm volatile("// tcgen05"); *p = 1; }' >"$scratch/k.cu"
  local flags=(-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -Wno-unknown-cuda-version)
  mkdir "$scratch/bin" && ln -s "$wrapper" "$scratch/bin/ptxas"
  built "clang --ptxas-path" 1 unchanged clang "${flags[@]}" --ptxas-path="$scratch/bin/ptxas" -c k.cu -o clang.o
  built "clang --cuda-path of a shim" 1 unchanged clang "${flags[@]}" --cuda-path="$scratch/shim" -c k.cu -o clang.o
}

# nvrtc_case WAY OPTION...: passes if a wait is removed from the output of NVRTC with these options, and nvJitLink accepts the text.
nvrtc_case() {
  local way=$1
  shift
  rm -f "$scratch/nvrtc.cubin"
  if "$scratch/nvrtc" "$SRCDIR/tests/clients/epilogue.cu" "$scratch/nvrtc.cubin" --gpu-architecture=sm_100a "$@" \
    >"$scratch/nvrtc.ptx" 2>"$scratch/said" && [ "$(cat "$scratch/said")" = "1 deleted" ] &&
    [ "$(grep -c 'wait::ld' "$scratch/nvrtc.ptx")" = 1 ] && [ "$(head -c 4 "$scratch/nvrtc.cubin")" = $'\x7fELF' ]; then ok "$way"; else
    comment "$scratch/said"
    not_ok "$way"
  fi
}

# Tests the texts that nvJitLink gets, and that the driver would get.
nvrtc_ways() {
  local way="NVRTC, libptxopt and nvJitLink" cuda
  cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
  local libraries="$BUILDDIR/.libs:$cuda/lib64"
  if ! [ -e "$cuda/include/nvrtc.h" ] || ! [ -e "$cuda/include/nvJitLink.h" ] || ! [ -e "$BUILDDIR/.libs/libptxopt.so" ] ||
    [ -n "${INSTRUMENTED:-}" ]; then
    skip "$way" "no NVRTC or nvJitLink here, or no plain shared library"
  elif ${TEST_CC:-cc} -I"$SRCDIR/src" -I"$cuda/include" "$SRCDIR/tests/clients/nvrtc.c" -o "$scratch/nvrtc" \
    -L"$BUILDDIR/.libs" -L"$cuda/lib64" -lptxopt -lnvrtc -lnvJitLink -Wl,-rpath,"$libraries" >"$scratch/said" 2>&1; then
    nvrtc_case "$way: PTX"
    nvrtc_case "$way: LTO IR, by PTX that nvJitLink makes" -dlto
  else
    comment "$scratch/said"
    not_ok "$way"
  fi
}

if ! command -v nvcc >/dev/null || ! command -v "${PTXAS-ptxas}" >/dev/null; then
  skip_all "no nvcc here"
fi
nvcc_ways
nvrtc_ways
if command -v cmake >/dev/null; then cmake_way; else skip "CMAKE_CUDA_FLAGS" "no cmake here"; fi
if command -v ccache >/dev/null; then ccache_ways; else skip "ccache" "no ccache here"; fi
if command -v sccache >/dev/null; then sccache_ways; else skip "sccache" "no sccache here"; fi
if command -v clang >/dev/null; then clang_ways; else skip "clang" "no clang here"; fi
finish
