#!/usr/bin/env bash
# The digest that --version prints for the keys of caches depends on the sources that decide an output, and on nothing else.
set -u
. "$SRCDIR/tests/tap.sh"
copy=$scratch/a-folder-with-another-name
mkdir -p "$copy/tree-sitter-ptx"
cp -R "$SRCDIR/src" "$copy" && cp -R "$SRCDIR/tree-sitter-ptx/src" "$copy/tree-sitter-ptx"
chmod -R u+w "$copy"
# digest: prints the digest of the copy.
digest() { MAKEFLAGS='' make -s --no-print-directory -C "$BUILDDIR" build-digest BUILD_OF="$copy"; }
# is NAME WANTED GOT
is() {
  if [ "$2" = "$3" ]; then ok "$1"; else
    echo "# expected $2, got $3"
    not_ok "$1"
  fi
}

built=$("$PTXOPT" --version | sed -n '1s/^ptxopt [0-9.]* (build \([0-9a-f]\{8\}\))$/\1/p')
is "another folder with the same sources gives the digest of this program" "${built:-one of eight digits}" "$(digest)"
is "ptxopt-verify has it" "ptxopt-verify $("$PTXOPT" --version | sed -n '1s/^ptxopt //p')" "$("$BUILDDIR/ptxopt-verify" --version)"
touch -d 2001-01-01 "$copy"/src/*/*.c
echo 'int other;' >>"$copy/src/cli/main.c"
is "neither times nor what decides no output are in it" "$built" "$(digest)"
for file in src/rules/table.c src/check/prove/check.c src/order/assume.h src/cli/options.c tree-sitter-ptx/src/parser.c; do
  [ -s "$copy/$file" ] || { not_ok "$file is there"; continue; }
  cp "$copy/$file" "$scratch/kept"
  echo '/* */' >>"$copy/$file"
  other=$(digest)
  if [[ $other =~ ^[0-9a-f]{8}$ ]] && [ "$other" != "$built" ]; then ok "another $file is another build"; else
    not_ok "another $file is another build"
  fi
  cp "$scratch/kept" "$copy/$file"
done
finish
