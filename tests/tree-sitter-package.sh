#!/usr/bin/env bash
# tree-sitter-ptx as others take it: `make install` puts library, header, queries and pkg-config
# file where a C program finds them, and `pip install` gives a Python package that parses a kernel.
# The latter needs py-tree-sitter: PTXOPT_PYTHON names a Python that has it, else a fresh venv asks
# pip's index for it; without either it is skipped.
set -u
. "$SRCDIR/tests/tap.sh"

# ---- what the manifests say is so ----

cd "$SRCDIR/tree-sitter-ptx" || exit 1
version() { sed -n "s/^ *\"\{0,1\}version\"\{0,1\} *[:=] *\"\([^\"]*\)\".*/\1/p" "$1" | head -n 1; }
if [ "$(version package.json)" = "$(version tree-sitter.json)" ] &&
  [ "$(version package.json)" = "$(version pyproject.toml)" ]; then
  ok "the manifests agree on the version"
else
  not_ok "the manifests agree on the version"
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
  cat >"$scratch/main.c" <<'END'
#include <string.h>
#include <tree_sitter/api.h>
#include <tree_sitter/tree-sitter-ptx.h>
int main(void)
{
    const char *text = "add.s32 a, b, 1;";
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, tree_sitter_ptx())) return 1;
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (unsigned)strlen(text));
    int bad = ts_node_has_error(ts_tree_root_node(tree));
    ts_tree_delete(tree);
    ts_parser_delete(parser);
    return bad;
}
END
  config=$(find "$scratch/installed" -name tree-sitter-ptx.pc)
  export PKG_CONFIG_PATH=${config%/*}${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} PKG_CONFIG_SYSROOT_DIR=$scratch/installed
  flags=$(pkg-config --cflags --libs tree-sitter-ptx)
  unset PKG_CONFIG_SYSROOT_DIR
  system=$(pkg-config --cflags --libs tree-sitter 2>/dev/null || echo -ltree-sitter)
  library=$(find "$scratch/installed" -name 'libtree-sitter-ptx.*' ! -name '*.la' | head -n 1)
  # shellcheck disable=SC2086 # commands and flags are words
  if $compiler "$scratch/main.c" $flags $system -o "$scratch/main" >"$scratch/log" 2>&1 &&
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

cat >"$scratch/try.py" <<'END'
import sys
import tree_sitter
import tree_sitter_ptx

language = tree_sitter.Language(tree_sitter_ptx.language())
parser = tree_sitter.Parser(language)
root = parser.parse(open(sys.argv[1], "rb").read()).root_node
assert root.type == "source_file" and not root.has_error, root
kinds = {node.type for node in root.children}
assert "function_definition" in kinds, kinds
for name in ("HIGHLIGHTS", "TAGS", "LOCALS", "FOLDS", "INDENTS", "INJECTIONS"):
    text = getattr(tree_sitter_ptx, name + "_QUERY")
    tree_sitter.Query(language, text) if hasattr(tree_sitter, "Query") else language.query(text)
END
what="the Python package parses a kernel"
python=${PTXOPT_PYTHON:-}
if [ -z "$python" ]; then
  if python3 -m venv "$scratch/venv" >/dev/null 2>&1 &&
    timeout 120 "$scratch/venv/bin/pip" install -q --retries 0 --timeout 15 tree-sitter >"$scratch/log" 2>&1; then
    python=$scratch/venv/bin/python
  fi
fi
if [ -z "$python" ] || ! "$python" -c "import tree_sitter" 2>/dev/null; then
  skip "$what" "no py-tree-sitter, here or to be had"
else
  cp -R "$SRCDIR/tree-sitter-ptx" "$scratch/package"
  chmod -R u+w "$scratch/package"
  if ! timeout 300 "$python" -m pip install -q --retries 0 --timeout 15 --target "$scratch/site" "$scratch/package" \
    >"$scratch/log" 2>&1; then
    if grep -qi 'could not find a version\|connection\|no matching distribution\|Python.h' "$scratch/log"; then
      skip "$what" "pip has no setuptools, or Python no headers"
    else
      comment "$scratch/log"
      not_ok "$what"
    fi
  elif PYTHONPATH=$scratch/site "$python" "$scratch/try.py" "$SRCDIR/examples/gemm-1cta/gemm-1cta.ptx" \
    >"$scratch/log" 2>&1; then
    ok "$what"
  else
    tail -n 5 "$scratch/log" | comment -
    not_ok "$what"
  fi
fi
finish
