#!/usr/bin/env bash
# examples/bazel: Bazel runs ptxopt-ptxas as an action with declared files only, ptxas gets the output of ptxopt, and
# the key of the cache is correct: a build in another checkout finds the result in the cache, a build with other flags
# does not. The ptxas is a substitute whose object is the text that it got, because a real ptxas may make two different
# cubins of one text.
set -u
# shellcheck source=tests/tap.sh
. "$SRCDIR/tests/tap.sh"
bazel=$(command -v bazel) || skip_all "no bazel here"
kernel=$SRCDIR/examples/gemm-1cta/gemm-1cta
trap 'stop; rm -rf "$scratch"' EXIT

# repository NAME FILE PROGRAM: the source that Bazel uses for @NAME.
repository() {
  mkdir -p "$scratch/$1/$(dirname "$2")"
  : >"$scratch/$1/WORKSPACE"
  echo "exports_files([\"$2\"])" >"$scratch/$1/BUILD"
  cp -L "$3" "$scratch/$1/$2"
}
# run COMMAND...: runs a command of Bazel in the current checkout; each checkout has a separate server.
run() { limited "$bazel" --nohome_rc --output_user_root="$scratch/output" --max_idle_secs=60 "$@"; }
stop() {
  local checkout
  for checkout in "$scratch"/checkout-*; do (cd "$checkout" && run shutdown) >/dev/null 2>&1; done
  chmod -R u+w "$scratch"
}
build() {
  run build --color=no --disk_cache="$scratch/cache" "${overrides[@]}" //:kernel >"$scratch/log" 2>&1
}
# checkout NAME: makes a copy of the example, with a kernel.
checkout() {
  cp -R "$SRCDIR/examples/bazel" "$scratch/checkout-$1"
  chmod -R u+w "$scratch/checkout-$1"
  cp "$kernel.ptx" "$scratch/checkout-$1/kernel.ptx"
  cd "$scratch/checkout-$1" || exit 1
}
# expect WHAT TEXT: passes if the last build succeeded and printed TEXT.
expect() {
  if [ "$status" = 0 ] && grep -qE -- "$2" "$scratch/log"; then ok "$1"; else
    tail -n 15 "$scratch/log" | comment -
    not_ok "$1"
  fi
}

overrides=(--override_repository=ptxopt="$scratch/ptxopt" --override_repository=cuda="$scratch/cuda")
# Bazel loads these rules for any build, and would fetch them: here its built-in rules replace them.
# native NAME RULE...: makes @rules_NAME.
native() {
  mkdir -p "$scratch/rules_$1/$1"
  : >"$scratch/rules_$1/WORKSPACE"
  : >"$scratch/rules_$1/$1/BUILD"
  printf '%s\n' "${@:2}" | sed 's/.*/& = native.&/' >"$scratch/rules_$1/$1/defs.bzl"
  overrides+=(--override_repository="rules_$1=$scratch/rules_$1")
}
native cc cc_library cc_binary cc_toolchain cc_toolchain_suite
native java java_library java_binary java_import java_toolchain java_runtime
repository ptxopt bin/ptxopt-ptxas "$BUILDDIR/ptxopt-ptxas"
repository cuda bin/ptxas "$SRCDIR/tests/wrapper/programs/ptxas"
export PTXOPT_DISABLE=1 # the action must not see this variable
checkout one
status=0
build || status=$?
expect "Bazel runs ptxopt-ptxas in a sandbox" 'processes:.* (linux|processwrapper)-sandbox'
if tail -n +2 bazel-bin/kernel.cubin >"$scratch/assembled" && becomes "$kernel" "$scratch/assembled"; then
  ok "ptxas gets the text without the waits"
else
  not_ok "ptxas gets the text without the waits"
fi
checkout two
status=0
build || status=$?
expect "another checkout has it from the cache" 'processes:.* (disk|remote) cache hit'
sed -i 's/arch = "sm_100a",/&\n    ptxopt_flags = ["--no-assume=reads-commute"],/' BUILD
status=0
build || status=$?
expect "other flags are another action" 'processes:.* (linux|processwrapper)-sandbox'
finish
