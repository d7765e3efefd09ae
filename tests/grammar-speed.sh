#!/usr/bin/env bash
# The cost of parsing a byte: instructions under callgrind, on 400 KB of the examples. It must not exceed the figure in
# tests/grammar/speed.tsv (recorded with UPDATE=1) by more than 3 %, and never 600. The figure is valid for the compiler
# and the text named there. The tree takes at most ten times the memory of the text.
set -u
. "$SRCDIR/tests/tap.sh"

parse=$BUILDDIR/tests/grammar/parse record=$SRCDIR/tests/grammar/speed.tsv
grep -qE '^SAN_CFLAGS = *$' "$BUILDDIR/Makefile" || skip_all "this build is instrumented"
grep -qE '^CFLAGS = .*--coverage' "$BUILDDIR/Makefile" && skip_all "this build is instrumented"

text=$scratch/text.ptx examples=$SRCDIR/examples
for _ in 1 2 3 4; do cat "$examples/attention/attention.ptx"; done >"$text"
cat "$examples/gemm-1cta/gemm-1cta.ptx" >>"$text"
bytes=$(wc -c <"$text")

"$parse" "$text" >"$scratch/out"
if grep -q 'ok$' "$scratch/out"; then ok "the text is without an ERROR"
else not_ok "the text is without an ERROR"; fi

memory=$("$parse" --memory "$text")
echo "# the tree takes $memory bytes for 100 bytes of text"
if [ "$memory" -le 1000 ]; then ok "the tree takes at most ten times the text"
else not_ok "the tree takes at most ten times the text"; fi

if ! command -v valgrind >/dev/null; then
  skip "a byte costs at most 600 instructions" "no valgrind here"
  skip "a byte costs no more than recorded" "no valgrind here"
  finish
fi

# instructions ARGUMENT...: prints the instructions of one run.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$parse" "$@" 2>&1 >/dev/null |
    awk '/Collected/ { print $NF }'
}
whole=$(instructions "$text") reading=$(instructions --read "$text")
if [ -z "$whole" ] || [ -z "$reading" ]; then
  skip "a byte costs at most 600 instructions" "valgrind does not run here"
  finish
fi
cost=$(awk -v i=$((whole - reading)) -v b="$bytes" 'BEGIN { printf "%.1f", i / b }')
echo "# $cost instructions a byte, $bytes bytes"

what="a byte costs at most 600 instructions"
if ! grep -q '^TREE_SITTER_LIBS = .*libtree-sitter\.a' "$BUILDDIR/Makefile"; then
  skip "$what" "the tree-sitter library is the shared one"
elif awk -v c="$cost" 'BEGIN { exit !(c <= 600) }'; then ok "$what"
else not_ok "$what"; fi

compiler=$(sed -n 's/^CC = //p' "$BUILDDIR/Makefile")
# shellcheck disable=SC2086 # a command and its options
compiler="$($compiler -dumpmachine 2>/dev/null) $($compiler --version 2>/dev/null | head -n 1)"
linkage=$(grep -q '^TREE_SITTER_LIBS = .*libtree-sitter\.a' "$BUILDDIR/Makefile" && echo static || echo shared)
checksum=$(cksum <"$text" | cut -d ' ' -f 1)
what="a byte costs at most 3 % more than recorded"
if [ -n "${UPDATE:-}" ]; then
  {
    echo "# Instructions a byte, for tests/grammar-speed.sh: what was measured, with what, of which text."
    printf '%s\t%s\t%s\t%s\n' "$cost" "$linkage" "$checksum" "$compiler"
  } >"$record"
  echo "# rewrote $record"
fi
IFS=$'\t' read -r was of_linkage of_text of_compiler < <(grep -v '^#' "$record")
if [ "$of_compiler" != "$compiler" ]; then skip "$what" "recorded with $of_compiler"
elif [ "$of_linkage" != "$linkage" ]; then skip "$what" "recorded with the $of_linkage library"
elif [ "$of_text" != "$checksum" ]; then skip "$what" "recorded with other examples: UPDATE=1"
elif awk -v c="$cost" -v w="$was" 'BEGIN { exit !(c <= w * 1.03) }'; then ok "$what"
else
  echo "# recorded: $was"
  not_ok "$what"
fi

# ---- beside tree-sitter-c, on this machine and with the same library ----

what="a byte of PTX costs less than a byte of C costs tree-sitter-c"
if [ ! -r "${TREE_SITTER_C:-}/src/parser.c" ]; then
  skip "$what" "no TREE_SITTER_C, the folder of its source: pip download --no-deps --no-binary :all: tree-sitter-c==0.23.4"
  finish
fi
libraries=$(sed -n 's/^TREE_SITTER_LIBS = //p' "$BUILDDIR/Makefile")
cc=$(sed -n 's/^CC = //p' "$BUILDDIR/Makefile")
# shellcheck disable=SC2086 # commands and their options
if ! $cc -O2 -w -DLANGUAGE=tree_sitter_c -I"$SRCDIR/tree-sitter-ptx/src" -o "$scratch/parse-c" \
  "$SRCDIR/tests/grammar/parse.c" "$TREE_SITTER_C/src/parser.c" $libraries >"$scratch/log" 2>&1; then
  comment "$scratch/log"
  not_ok "$what"
  finish
fi
# The sources of this program that tree-sitter-c parses without an ERROR.
find "$SRCDIR/src" -name '*.c' | sort | xargs "$scratch/parse-c" | sed -n 's/\tok$//p' | head -n 60 |
  xargs cat >"$scratch/text.c"
parse=$scratch/parse-c
whole_c=$(instructions "$scratch/text.c") reading_c=$(instructions --read "$scratch/text.c")
bytes_c=$(wc -c <"$scratch/text.c")
cost_c=$(awk -v i=$((whole_c - reading_c)) -v b="$bytes_c" 'BEGIN { printf "%.1f", i / b }')
echo "# tree-sitter-c: $cost_c instructions a byte, $bytes_c bytes; of PTX $(awk -v p="$cost" -v c="$cost_c" \
  'BEGIN { printf "%.2f", p / c }') times that"
if awk -v p="$cost" -v c="$cost_c" 'BEGIN { exit !(p < c) }'; then ok "$what"
else not_ok "$what"; fi
finish
