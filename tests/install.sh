#!/usr/bin/env bash
# What other projects find after `make install`: the library by pkg-config and by CMake, also if the tree was moved;
# and the version, soname and symbols in debian/ are correct.
set -u
. "$SRCDIR/tests/tap.sh"
kernel=$SRCDIR/examples/gemm-1cta/gemm-1cta
compiler=$(sed -n 's/^CC = //p' "$BUILDDIR/Makefile")
library=$BUILDDIR/.libs/libptxopt.so

# ---- debian/ ----

version=$(sed -n 's/^PACKAGE_VERSION = //p' "$BUILDDIR/Makefile")
packaged=$(sed -n '1s/^ptxopt (\([^)]*\)).*/\1/p' "$SRCDIR/debian/changelog")
if [ "$version" = "$packaged" ]; then ok "debian/changelog has the version of configure.ac"; else
  echo "# debian/changelog: $packaged, configure.ac: $version"
  not_ok "debian/changelog has the version of configure.ac"
fi

what="debian/libptxopt1.symbols is what the library exports"
if [ ! -e "$library" ] || ! command -v nm >/dev/null; then skip "$what" "no shared library was built"
elif ! grep -qE '^SAN_CFLAGS = *$' "$BUILDDIR/Makefile" || grep -q '^CFLAGS = .*--coverage' "$BUILDDIR/Makefile"; then
  skip "$what" "this build is instrumented"
else
  sed -n 's/^ \([^@]*\)@.*/\1/p' "$SRCDIR/debian/libptxopt1.symbols" >"$scratch/listed"
  nm -D --defined-only "$library" | awk '{ print $3 }' | sort >"$scratch/exported"
  head -n 1 "$SRCDIR/debian/libptxopt1.symbols" | cut -d ' ' -f 1 >>"$scratch/listed"
  objdump -p "$library" | awk '$1 == "SONAME" { print $2 }' >>"$scratch/exported"
  if same "symbols" "$scratch/listed" "$scratch/exported"; then ok "$what"; else not_ok "$what"; fi
fi

# ---- make install, staged, and a copy elsewhere ----

if ! grep -qE '^SAN_CFLAGS = *$' "$BUILDDIR/Makefile"; then
  skip "make install" "this build is instrumented"
  finish
fi
if ! (cd "$BUILDDIR" && env -u MAKEFLAGS -u MAKELEVEL make -s install DESTDIR="$scratch/staged") >"$scratch/log" 2>&1; then
  comment "$scratch/log"
  not_ok "make install"
  finish
fi
ok "make install"

# shell_files PROGRAM: prints the completions that are not installed where the shells look for them.
shell_files() {
  local file
  for file in "bash-completion/completions/$1" "zsh/site-functions/_$1" "fish/vendor_completions.d/$1.fish"; do
    [ -n "$(find "$scratch/staged" -path "*/share/$file" -size +0)" ] || echo "share/$file is not there"
  done
}
for program in ptxopt ptxopt-ptxas ptxopt-verify ptxoptd; do
  [ -x "$BUILDDIR/$program" ] || continue
  shell_files $program >"$scratch/log"
  if [ ! -s "$scratch/log" ]; then ok "bash, zsh and fish complete $program"; else
    comment "$scratch/log"
    not_ok "bash, zsh and fish complete $program"
  fi
done

what="the installed ptxopt finds ptxopt-post"
if [ ! -e "$BUILDDIR/ptxopt-post" ]; then skip "$what" "this build has none"
else
  "$(find "$scratch/staged" -path '*/bin/ptxopt')" --server unix:/nowhere <"$kernel.ptx" 2>&1 >/dev/null | head -n 1 >"$scratch/log"
  if grep -q "^ptxopt: warning: unix:/nowhere: .*; the work is done locally" "$scratch/log"; then ok "$what"; else
    comment "$scratch/log"
    not_ok "$what"
  fi
fi

header=$(find "$scratch/staged" -name ptxopt.h)
cp -R "${header%/include/*}" "$scratch/moved"
folder=$(find "$scratch/moved" -name 'libptxopt.so' -printf '%h\n')
run() { LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"; }

# judge NAME PROGRAM: passes if the program has the expected output for an example.
judge() {
  if run "$2" <"$kernel.ptx" >"$scratch/out" 2>>"$scratch/log" && becomes "$kernel" "$scratch/out"
  then ok "$1"; else
    comment "$scratch/log"
    not_ok "$1"
  fi
}

what="a C program finds the library by pkg-config"
if [ -z "$folder" ]; then skip "$what" "no shared library was built"
elif ! command -v pkg-config >/dev/null; then skip "$what" "no pkg-config here"
else
  config=$(find "$scratch/staged" -name libptxopt.pc)
  flags=$(PKG_CONFIG_PATH=${config%/*} PKG_CONFIG_SYSROOT_DIR=$scratch/staged pkg-config --cflags --libs libptxopt \
    2>"$scratch/log")
  # shellcheck disable=SC2086 # commands and flags are words
  $compiler "$SRCDIR/tests/install/main.c" -o "$scratch/main" $flags >>"$scratch/log" 2>&1
  judge "$what" "$scratch/main"
fi

what="a CMake project finds the moved library"
if [ -z "$folder" ]; then skip "$what" "no shared library was built"
elif ! command -v cmake >/dev/null; then skip "$what" "no cmake here"
else
  # configure VERSION: runs CMake for a project that requests this version.
  configure() {
    cp -R "$SRCDIR/tests/install" "$scratch/project-$1"
    chmod -R u+w "$scratch/project-$1"
    sed -i "s/find_package(ptxopt [0-9.]*/find_package(ptxopt $1/" "$scratch/project-$1/CMakeLists.txt"
    env CC="$compiler" cmake -S "$scratch/project-$1" -B "$scratch/cmake-$1" -DCMAKE_PREFIX_PATH="$scratch/moved" \
      >"$scratch/log" 2>&1
  }
  configure "${version%.*}" && cmake --build "$scratch/cmake-${version%.*}" >>"$scratch/log" 2>&1
  judge "$what" "$scratch/cmake-${version%.*}/main"
  for other in "${version%%.*}.99" 99.0; do
    if ! configure "$other" && grep -q 'considered but not accepted' "$scratch/log"; then ok "CMake refuses it for version $other"; else
      comment "$scratch/log"
      not_ok "CMake refuses it for version $other"
    fi
  done
fi
finish
