#!/usr/bin/env bash
# src/parser.c is the output of the tree-sitter tool for grammar.js, and the grammar's own corpus
# passes. The tool is not a dependency: PTXOPT_SHARED/tools/tree-sitter, or on PATH.
set -u
. "$SRCDIR/tests/tap.sh"

tool=$PTXOPT_SHARED/tools/tree-sitter
[ -x "$tool" ] || tool=$(command -v tree-sitter) || skip_all "no tree-sitter tool here"
command -v node >/dev/null || skip_all "no node, which evaluates grammar.js"
# The tool keeps its own files at their place, but its cache of the grammar is elsewhere.
export TREE_SITTER_HOME=${TREE_SITTER_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/tree-sitter-cli}
version=$("$tool" --version 2>/dev/null) || skip_all "the tree-sitter tool does not run"
case $version in "tree-sitter 0.22."*) ;; *) skip_all "made with tree-sitter 0.22, not $version" ;; esac

cp -R "$SRCDIR/tree-sitter-ptx" "$scratch/grammar"
chmod -R u+w "$scratch/grammar"
cd "$scratch/grammar" || exit 1
rm src/parser.c
export XDG_CACHE_HOME=$scratch/cache
if limited "$tool" generate --no-bindings --abi 14 >"$scratch/log" 2>&1; then
  ok "grammar.js generates a parser"
else
  comment "$scratch/log"
  not_ok "grammar.js generates a parser"
fi
for file in src/parser.c src/node-types.json src/grammar.json; do
  if cmp -s "$file" "$SRCDIR/tree-sitter-ptx/$file"; then
    ok "$file is what grammar.js gives"
  else
    not_ok "$file is what grammar.js gives"
  fi
done
# Above 300 states of the lexer the generator tells the compiler not to optimize it.
if grep -q 'pragma.*optimize' src/parser.c; then not_ok "the lexer is one that compilers optimize"
else ok "the lexer is one that compilers optimize"; fi
# A leaf with a larger symbol number needs separate memory.
symbols=$(sed -n 's/^#define SYMBOL_COUNT //p' src/parser.c)
if [ "${symbols:-999}" -lt 256 ]; then ok "a symbol fits a byte"
else not_ok "a symbol fits a byte"; fi
if limited "$tool" test >"$scratch/log" 2>&1; then
  ok "the grammar's corpus passes"
else
  tail -n 20 "$scratch/log" | comment -
  not_ok "the grammar's corpus passes"
fi

# Random edits, after each of which the tree must be that of a fresh parse: trees.c does the same without the tool.
what="the tool's fuzzer finds nothing in the corpus"
if ! "$tool" fuzz --help >/dev/null 2>&1; then
  skip "$what" "this tree-sitter has no fuzz"
elif limited "$tool" fuzz --iterations 3 >"$scratch/log" 2>&1; then
  ok "$what"
else
  tail -n 20 "$scratch/log" | comment -
  not_ok "$what"
fi
what="the tool parses the examples without an ERROR, and says at what speed"
find "$SRCDIR/examples" -name '*.ptx' | sort >"$scratch/files"
if limited "$tool" parse --quiet --time --paths "$scratch/files" >"$scratch/log" 2>&1 &&
  grep -q 'bytes/ms' "$scratch/log"; then
  grep 'bytes/ms' "$scratch/log" | sed "s|$SRCDIR/||" | comment -
  ok "$what"
else
  comment "$scratch/log"
  not_ok "$what"
fi
finish
