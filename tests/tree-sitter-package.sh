#!/usr/bin/env bash
# tree-sitter-ptx as others use it: `make install` installs library, header, queries and pkg-config
# file where a C program finds them, and `pip install` installs a Python package that parses a kernel.
# The latter needs py-tree-sitter: PTXOPT_PYTHON names a Python that has it; otherwise pip installs it from
# its index into a new venv; if neither is possible, the test is skipped.
set -u
. "$SRCDIR/tests/tap.sh"

# ---- the statements of the manifests are correct ----

cd "$SRCDIR/tree-sitter-ptx" || exit 1
version() { sed -n "s/^ *\"\{0,1\}version\"\{0,1\} *[:=] *\"\([^\"]*\)\".*/\1/p" "$1" | head -n 1; }
if [ "$(for file in package.json tree-sitter.json pyproject.toml Cargo.toml; do version "$file"; done | sort -u | wc -l)" = 1 ]; then
  ok "the manifests agree on the version"
else
  not_ok "the manifests agree on the version"
fi
repository=$(sed -n 's|.*"repository": "https://\(.*\)"$|\1|p' tree-sitter.json)
if grep -qx "module $repository/tree-sitter-ptx" go.mod && grep -qx "repository = \"https://$repository\"" Cargo.toml; then
  ok "the manifests agree on the repository"
else
  not_ok "the manifests agree on the repository"
fi
if ! python3 -c 'import jsonschema' 2>/dev/null; then
  skip "tree-sitter.json is as tree-sitter's schema says" "no python3-jsonschema here"
elif python3 - tree-sitter.json "$SRCDIR/tests/grammar/bindings/config.schema.json" >"$scratch/log" 2>&1 <<'PY'
import json
import sys

import jsonschema

config, schema = (json.load(open(file, encoding="utf-8")) for file in sys.argv[1:])
jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).validate(config)
PY
then
  ok "tree-sitter.json is as tree-sitter's schema says"
else
  tail -n 5 "$scratch/log" | comment -
  not_ok "tree-sitter.json is as tree-sitter's schema says"
fi
if grep -oE '"queries/[a-z]+\.scm"' package.json tree-sitter.json | cut -d '"' -f 2 | sort -u |
  while IFS= read -r file; do [ -s "$file" ] || echo "# there is no $file"; done | grep .; then
  not_ok "the manifests name queries that exist"
else
  ok "the manifests name queries that exist"
fi

# ---- C ----

compiler=$(sed -n 's/^CC = //p' "$BUILDDIR/Makefile")
if ! command -v pkg-config >/dev/null; then
  skip "a C program finds the installed grammar" "no pkg-config here"
elif ! grep -qE '^SAN_CFLAGS = *$' "$BUILDDIR/Makefile"; then
  skip "a C program finds the installed grammar" "this build is instrumented"
elif ! (cd "$BUILDDIR" && env -u MAKEFLAGS -u MAKELEVEL make -s install-tree-sitter-ptx DESTDIR="$scratch/installed") \
  >"$scratch/log" 2>&1; then
  comment "$scratch/log"
  not_ok "a C program finds the installed grammar"
else
  config=$(find "$scratch/installed" -name tree-sitter-ptx.pc)
  export PKG_CONFIG_PATH=${config%/*}${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} PKG_CONFIG_SYSROOT_DIR=$scratch/installed
  flags=$(pkg-config --cflags --libs tree-sitter-ptx)
  unset PKG_CONFIG_SYSROOT_DIR
  system=$(pkg-config --cflags --libs tree-sitter 2>/dev/null || echo -ltree-sitter)
  library=$(find "$scratch/installed" -name 'libtree-sitter-ptx.*' ! -name '*.la' | head -n 1)
  # shellcheck disable=SC2086 # commands and flags are words
  if $compiler "$SRCDIR/tests/grammar/bindings/main.c" $flags $system -o "$scratch/main" >"$scratch/log" 2>&1 &&
    LD_LIBRARY_PATH=${library%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$scratch/main"; then
    ok "a C program finds the installed grammar"
  else
    echo "# $flags"
    comment "$scratch/log"
    not_ok "a C program finds the installed grammar"
  fi
  queries=$(find "$scratch/installed" -name '*.scm' | wc -l)
  if [ "$queries" -eq "$(find queries -name '*.scm' | wc -l)" ]; then ok "the queries are installed"
  else not_ok "the queries are installed"; fi
  case $library in
    *.so*)
      nm -D --defined-only "$library" | awk '$3 !~ /^tree_sitter_ptx/ { print $3 }' >"$scratch/names"
      if [ -s "$scratch/names" ]; then
        comment "$scratch/names"
        not_ok "the library exports only tree_sitter_ptx"
      else
        ok "the library exports only tree_sitter_ptx"
      fi
      ;;
  esac
fi

# ---- Python ----

# shows WHAT COMMAND...: passes if the command succeeds.
shows() {
  if "${@:2}" >"$scratch/log" 2>&1; then
    ok "$1"
  else
    tail -n 5 "$scratch/log" | comment -
    not_ok "$1"
  fi
}

# Builds the wheel from the source archive, in $scratch/dist, and unpacks it in $scratch/site.
wheel() (
  cp -R "$SRCDIR/tree-sitter-ptx" "$scratch/package" && chmod -R u+w "$scratch/package" && cd "$scratch/package" &&
    "$python" -c "from setuptools import build_meta; build_meta.build_sdist('$scratch/dist')" &&
    "$python" -m pip wheel -q --no-index --no-deps --no-build-isolation -w "$scratch/dist" "$scratch"/dist/*.tar.gz &&
    "$python" -m zipfile -e "$scratch"/dist/*.whl "$scratch/site"
)
stable() { ls "$scratch"/dist/tree_sitter_ptx-*-cp39-abi3-*.whl "$scratch"/site/tree_sitter_ptx/_binding.abi3.so; }
elsewhere() (
  cd "$scratch" && for version in 9 10 11 12 13 14; do
    other=python3.$version
    "$other" -c '' 2>/dev/null || continue
    PYTHONPATH=$scratch/site "$other" -c 'import tree_sitter_ptx; tree_sitter_ptx.language()' || return 1
    echo "$other"
  done
)

what="the Python package parses a kernel"
python=${PTXOPT_PYTHON:-}
if [ -z "$python" ]; then
  if python3 -m venv "$scratch/venv" >/dev/null 2>&1 &&
    limited "$scratch/venv/bin/pip" install -q --retries 0 --timeout 15 tree-sitter setuptools wheel >"$scratch/log" 2>&1; then
    python=$scratch/venv/bin/python
    limited "$python" -m pip install -q --retries 0 --timeout 15 tree-sitter-cuda tree-sitter-cpp >"$scratch/log" 2>&1
  fi
fi
programs=$SRCDIR/tests/grammar/bindings/python
if [ -z "$python" ] || ! "$python" -c "import tree_sitter" 2>/dev/null; then
  skip "$what" "no py-tree-sitter, here or to be had"
elif ! "$python" -c "import setuptools, wheel" 2>/dev/null; then
  skip "$what" "$python has no setuptools or wheel"
elif ! wheel >"$scratch/log" 2>&1; then
  if grep -q 'Python.h' "$scratch/log"; then
    skip "$what" "Python has no headers"
  else
    comment "$scratch/log"
    not_ok "$what"
  fi
else
  export PYTHONPATH=$scratch/site
  shows "$what" "$python" "$programs/try.py" "$SRCDIR/examples/gemm-1cta/gemm-1cta.ptx" "$SRCDIR/tree-sitter-ptx/queries"
  shows "the wheel is of the stable ABI" stable
  shows "every Python here loads it" elsewhere
  for host in cuda cpp; do
    what="PTX in the asm statements of $host is found"
    if "$python" -c "import tree_sitter_$host; from tree_sitter import QueryCursor" 2>/dev/null; then
      shows "$what" "$python" "$programs/asm.py" "$host" "$SRCDIR/tree-sitter-ptx/editors/asm.scm"
    else
      skip "$what" "no package tree-sitter-$host here"
    fi
  done
fi
finish
