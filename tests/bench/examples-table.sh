#!/usr/bin/env bash
# The table of examples in doc/kernels.md, as Markdown: from --stats, with ptxas on PATH.
set -euo pipefail
cd "$SRCDIR"
echo '| kernel | waits and fences | removed | SASS instructions | NOPs | registers |'
echo '|---|---|---|---|---|---|'
for kernel in examples/*/*.ptx; do
  "$PTXOPT" --stats -o /dev/null "$kernel" 2>&1 | awk -v name="$(basename "$kernel" .ptx)" '
    # the value after a word of the sass line: "531 -> 516" or, unchanged, "48"
    function value(word,   at) {
      for (at = 1; at <= NF; at++)
        if ($at == word) return $(at + 2) == "->" ? $(at + 1) " → " $(at + 3) : $(at + 1)
      return "?"
    }
    / of .* candidates removed$/ { removed = $(NF - 4); candidates = $(NF - 2) }
    $1 == "sass" { sass = value("instructions"); nops = value("NOPs"); registers = value("registers") }
    END { printf "| `%s` | %s | %s | %s | %s | %s |\n", name, candidates, removed, sass, nops, registers }'
done
