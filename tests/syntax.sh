#!/usr/bin/env bash
# Of PTX that others wrote, and of small files with a verdict of ptxas, the grammar parses everything that ptxas does
# not call a syntax error. The project does not ship the files: PTXOPT_SHARED names their folder.
set -u
. "$SRCDIR/tests/tap.sh"

oracle=$PTXOPT_SHARED/ptx-syntax corpus=$PTXOPT_SHARED/corpus
if [ ! -r "$oracle/index.tsv" ] || [ ! -r "$corpus/index.tsv" ]; then
  skip_all "no ptx-syntax and corpus beside the tree"
fi

# ".version 9 . 0" is the only file that ptxas refuses for its meaning and ptxopt for its form.
legal=()
while IFS=$'\t' read -r file verdict _; do
  case $verdict in OK | SEM) ;; *) continue ;; esac
  grep -q '^\.version 9 \. 0' "$oracle/$file" || legal+=("$oracle/$file")
done <"$oracle/index.tsv"
while IFS=$'\t' read -r file _; do
  [ "$file" = file ] || legal+=("$corpus/$file")
done <"$corpus/index.tsv"

"$BUILDDIR/tests/invariants" --parses "${legal[@]}" | sed "s|$PTXOPT_SHARED/||"
