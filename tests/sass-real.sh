#!/usr/bin/env bash
# In every kernel of the tree and of PTXOPT_SHARED/corpus that the optimizer changes, the asynchronous and ordering
# machine instructions differ only in the removed ones (see sass/real.c). For the cases in tests/never about other
# columns, the same comparison shows the lost order if the wait that must be kept is removed (see sass/kept.c).
set -u
. "$SRCDIR/tests/tap.sh"

PTXAS=${PTXAS-ptxas}
command -v "${PTXAS:-none}" >/dev/null || skip_all "no ptxas on PATH"
[ -z "${INSTRUMENTED:-}" ] || skip_all "this build is instrumented"
export PTXAS
export SASS_FOLDER=$scratch
cd "$SRCDIR" || exit 1
corpus=$PTXOPT_SHARED/corpus
[ -d "$corpus" ] || skip "the kernels of others" "no PTXOPT_SHARED with a corpus"

# The cases get the names of tests/sass/explained.tsv.
ln -s "$EXPANDED" "$scratch/cases"
{ whole_texts ! -path 'tests/bad/*'; find "$corpus" -name '*.ptx'; } 2>/dev/null |
  sed "s|^$EXPANDED|$scratch/cases|" | sort | xargs -r -P "$(nproc)" -n 12 \
  "$BUILDDIR/tests/sass/differential" real tests/sass/explained.tsv >"$scratch/verdicts" ||
  not_ok "the differential comes to its end"

same=0
while read -r verdict file; do
  case $verdict in
    '#') echo "# $file" ;;
    same) same=$((same + 1)) ;;
    kept) ok "$file keeps its order" ;;
    explained) ok "$file keeps its order but for what is explained" ;;
    foreign) skip "$file" "ptxas refuses the input too" ;;
    refused) not_ok "$file is still accepted" ;;
    *) not_ok "$file keeps its order" ;;
  esac
done <"$scratch/verdicts"
echo "# $same files do not change"

"$BUILDDIR/tests/sass/differential" kept tests/sass/explained.tsv tests/never >"$scratch/kept" ||
  not_ok "the comparison without kept waits comes to its end"
while read -r first rest; do
  case $first in
    ok) ok "${rest#* - }" ;;
    not) not_ok "${rest#* - }" ;;
    '#') echo "# $rest" ;;
  esac
done <"$scratch/kept"
finish
