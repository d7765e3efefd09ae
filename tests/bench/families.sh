#!/usr/bin/env bash
# families.sh FAMILY N: prints the text of that family in families.txt at that size.
# families.sh: prints the families, each with its two sizes.
set -euo pipefail
table=${0%/*}/families.txt
if [ "$#" -eq 0 ]; then
  awk '$1 == "family" { print $2, $3, $4 }' "$table"
  exit
fi
awk -v want="$1" -v n="$2" '
  function copy(text, i) {
    if (!index(text, "#")) return text
    gsub(/#i/, i, text); gsub(/#j/, i + 1, text); gsub(/#r/, n - 1 - i, text); gsub(/#n/, n, text)
    return text
  }
  function repeat(i) {
    for (i = 0; i < n && piece != ""; i++) printf "%s", copy(piece, i)
    piece = ""
  }
  function start_kernel(registers, count, i, list) {
    printf ".visible .entry k()\n{\n"
    count = split(registers, list, / *; */)
    for (i = 1; i <= count; i++) printf "\t.reg %s;\n", copy(list[i], 0)
    in_kernel = 1
  }
  /^#/ || !NF { next }
  $1 == "family" { inside = $2 == want; found += inside }
  !inside { next }
  { text = $0; sub(/^[a-z]+ /, "", text) }
  $1 != "each" { repeat() }
  $1 == "family" { printf ".version 8.8\n.target sm_100a\n.address_size 64\n\n" }
  $1 == "kernel" { start_kernel(text) }
  $1 == "once" { printf "\t%s\n", copy(text, 0) }
  $1 == "each" { piece = piece "\t" text "\n" }
  $1 == "list" { for (i = 0; i < n; i++) printf "%s%s", i ? ", " : "\t", copy(text, i); printf "\n" }
  END {
    repeat()
    if (in_kernel) printf "\tret;\n}\n"
    if (!found) { printf "families.sh: no family %s\n", want >"/dev/stderr"; exit 2 }
  }' "$table"
