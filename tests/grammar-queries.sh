#!/usr/bin/env bash
# Each query of tree-sitter-ptx/queries compiles with the grammar, and its captures on
# tests/grammar/queries/sample.ptx are those of NAME.out beside it. If the tree-sitter tool is installed, it accepts
# them too.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1

sample=tests/grammar/queries/sample.ptx
for query in tree-sitter-ptx/queries/*.scm; do
  name=$(basename "$query" .scm)
  expected=tests/grammar/queries/$name.out
  if ! "$BUILDDIR/tests/grammar/captures" "$query" "$sample" >"$scratch/out"; then
    comment "$scratch/out"
    not_ok "$name compiles against the grammar"
    continue
  fi
  ok "$name compiles against the grammar"
  if [ ! -e "$expected" ] && [ -n "${UPDATE:-}" ]; then cp "$scratch/out" "$expected"; fi
  if same "$name" "$expected" "$scratch/out"; then
    ok "$name captures what it should"
  else
    not_ok "$name captures what it should"
  fi
done

for name in highlights tags locals folds indents injections textobjects; do
  if [ -s "tree-sitter-ptx/queries/$name.scm" ]; then ok "there is a query for $name"
  else not_ok "there is a query for $name"; fi
done

tool=$PTXOPT_SHARED/tools/tree-sitter
[ -x "$tool" ] || tool=$(command -v tree-sitter || true)
export TREE_SITTER_HOME=${TREE_SITTER_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/tree-sitter-cli}
if [ -n "$tool" ] && "$tool" --version >/dev/null 2>&1; then
  cp -R tree-sitter-ptx "$scratch/grammar"
  chmod -R u+w "$scratch/grammar"
  cp "$sample" "$scratch/sample.ptx"
  export XDG_CACHE_HOME=$scratch/cache
  for query in tree-sitter-ptx/queries/*.scm; do
    name=$(basename "$query" .scm)
    if (cd "$scratch/grammar" && limited "$tool" query "queries/$name.scm" "$scratch/sample.ptx") \
      >"$scratch/log" 2>&1 && ! grep -qi 'error' "$scratch/log"; then
      ok "the tree-sitter tool takes $name"
    else
      comment "$scratch/log"
      not_ok "the tree-sitter tool takes $name"
    fi
  done
else
  skip "the tree-sitter tool takes the queries" "no tree-sitter tool here"
fi
finish
