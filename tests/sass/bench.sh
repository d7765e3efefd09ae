#!/usr/bin/env bash
# The table of versions of doc/model.md: the losses in each ptxas of PTXAS (programs, separated by blanks) by the
# removals of the optimizer, for the whole grid and for random programs. SASS_PROGRAMS and SASS_SEED as in sass.sh;
# SASS_GRID= for the smaller grid.
set -u
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
differential=$BUILDDIR/tests/sass/differential
sass=$SRCDIR/tests/sass
export SASS_FOLDER=$scratch SASS_SHOWN=${SASS_SHOWN:-0}

# Prints the number in front of the words, in the line of the log that begins with LINE.
number() { # LOG LINE WORDS
  sed -n "s/^# $2.* \([0-9][0-9]*\) $3.*/\1/p" "$1" | paste -sd+ | sed 's/+/ + /'
}

echo '| ptxas | held back as in held.tsv | texts of the grid compared | kinds lost | random programs compared | kinds lost | lost, though guaranteed |'
echo '|---|---|---|---|---|---|---|'
for PTXAS in ${PTXAS:-ptxas}; do
  export PTXAS
  release=$("$PTXAS" --version | sed -n 's/.*, V//p')
  "$differential" grid "$sass/explained.tsv" "$sass/unsaid" "$sass/held.tsv" ${SASS_GRID-all} >"$scratch/grid"
  "$differential" random "$sass/explained.tsv" "$sass/known" >"$scratch/random"
  held=$(sed -n 's/ [0-9]* - what one wait.*//p' "$scratch/grid")
  grid='texts of the grid:'
  random='random programs:'
  printf '| %s | %s | %s | %s | %s | %s | %s |\n' "${release:-?}" "${held:-?}" \
    "$(number "$scratch/grid" "$grid" 'assembled')" "$(number "$scratch/grid" "$grid" 'kinds of order lost')" \
    "$(number "$scratch/random" "$random" 'assembled')" \
    "$(number "$scratch/random" "$random" 'kinds of order lost')" \
    "$(number "$scratch/random" "$random" 'of order that another')"
  grep '^not ok' "$scratch/grid" "$scratch/random" | sed 's/.*:/# /' >&2
done
