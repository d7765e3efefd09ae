#!/usr/bin/env bash
# Every case of lint, every pair of tests/pairs, and every example, with renamed registers: once with a separate name for
# each web, and once with as few names as liveness allows (tests/renamed/rename.py). The program is the same, so lint must
# have the same findings.
set -u
. "$SRCDIR/tests/tap.sh"
command -v python3 >/dev/null || skip_all "no python3 here"

texts=() names=()
for text in "$EXPANDED"/lint-codes/*/*/*.ptx "$EXPANDED"/bugs/*/*.ptx "$SRCDIR"/tests/roles/*.ptx "$SRCDIR"/tests/pairs/*.txt \
  "$SRCDIR"/examples/*/*.ptx "$PTXOPT_SHARED"/lint-cases/*.ptx; do
  [ -e "$text" ] || continue
  name=${text#"$EXPANDED"/}
  name=${name#"$SRCDIR"/}
  name=${name#tests/}
  name=${name#"$PTXOPT_SHARED"/}
  name=${name%.ptx}
  name=renamed/${name%.txt}
  chosen "$name" || continue
  texts+=("$text") names+=("$name")
done
[ "${#texts[@]}" -gt 0 ] || finish

# findings_of FOLDER TEXT...: writes the findings of each text into FOLDER/NUMBER.
findings_of() {
  local folder=$1
  shift
  mkdir -p "$folder"
  # lint_findings prints names only for two files or more, so /dev/null is one.
  timeout 600 "$BUILDDIR/tests/lint_findings" "$@" /dev/null | awk -v folder="$folder" '
    /^# / { if (NR > 1) close(out); out = folder "/" number++; printf "" >out; next } { print >out }'
}

findings_of "$scratch/as-written" "${texts[@]}"
for way in web few; do
  mkdir "$scratch/$way.texts"
  python3 "$SRCDIR/tests/renamed/rename.py" "$way" "$scratch/$way.texts" "${texts[@]}" || echo "# rename.py failed"
  renamed=()
  for number in "${!texts[@]}"; do renamed+=("$scratch/$way.texts/$number.ptx"); done
  findings_of "$scratch/$way" "${renamed[@]}"
done
for number in "${!texts[@]}"; do
  good=yes
  for way in web few; do
    if cmp -s "${texts[number]}" "$scratch/$way.texts/$number.ptx"; then
      echo "# nothing was renamed"
      good=
    fi
    same "${names[number]}, $way" "$scratch/as-written/$number" "$scratch/$way/$number" || good=
  done
  if [ -n "$good" ]; then ok "${names[number]}"; else not_ok "${names[number]}"; fi
done
finish
