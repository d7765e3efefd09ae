#!/usr/bin/env bash
# src/wrapper/ptxas_options.def compared with ptxas: every option of its --help has a row, with both of its names,
# and takes a value if the row says so. PTXOPT_TEST_PTXAS: further programs, separated by blanks.
set -u
. "$SRCDIR/tests/tap.sh"

rows() {
  tr '\n' ' ' <"$SRCDIR/src/wrapper/ptxas_options.def" | grep -oE 'OPTION\("[^)]*\)' |
    sed -E 's/OPTION\("([^"]*)", *"([^"]*)", *(true|false),.*/\1 \2 \3/' | sort
}

# takes_value PTXAS WORD: whether ptxas says so if nothing follows the word. -O alone is an option, too.
takes_value() {
  if "$1" "$2" 2>&1 | grep -q 'argument expected after'; then echo true; else echo false; fi
}

# options PTXAS: prints its options in the form of rows.
options() {
  "$1" --help | sed -nE 's/^--([A-Za-z0-9-]+) .*\(-([A-Za-z0-9-]+)\) *$/\1 \2/p' | while read -r name letter; do
    echo "$name $letter $(takes_value "$1" "--$name")"
  done | sort
}

rows >"$scratch/rows"
for ptxas in ${PTXAS-ptxas} ${PTXOPT_TEST_PTXAS:-}; do
  name="the table has every option of ${ptxas##*/}"
  command -v "$ptxas" >/dev/null || { skip "$name" "no such program"; continue; }
  options "$ptxas" >"$scratch/options"
  if [ -s "$scratch/options" ] && comm -23 "$scratch/options" "$scratch/rows" >"$scratch/missing" &&
    [ ! -s "$scratch/missing" ]; then ok "$name"; else
    comment "$scratch/missing"
    not_ok "$name"
  fi
done
finish
