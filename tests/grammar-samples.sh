#!/usr/bin/env bash
# The samples of the ISA's instructions (tree-sitter-ptx/test/corpus/isa_*.txt) are valid PTX: ptxas assembles each
# case, for the target in its first line, after the declarations of tests/grammar/prelude.txt. Every instruction of
# tests/grammar/instructions.txt has a sample. PTXAS names the program; PTXAS= skips the test. Samples for which it
# is too old are tried with PTXAS_NEWER, or with the ptxas in a Triton of python3 or of an interpreter in
# PTXOPT_TEST_PYTHON.
set -u
. "$SRCDIR/tests/tap.sh"
corpus=$SRCDIR/tree-sitter-ptx/test/corpus

# Writes a file N.ptx for each case, and "N target version title" into cases. tree-sitter's corpus: a title
# between two lines of =, the sample, --- and the tree.
awk -v out="$scratch" '
  /^====/ { bars++; if (bars == 1) { n++; inside = 0 } else bars = 0; next }
  bars == 1 { title = $0; next }
  /^---$/ { inside = 0; next }
  /^\/\/ (not )?assembled/ && !inside {
    target = $0; version = "-"
    if (/^\/\/ not/) target = "-"
    else {
      sub(/^\/\/ assembled for /, "", target); version = target
      sub(/, PTX .*/, "", target); sub(/.*, PTX /, "", version); gsub(/ /, "", target)
    }
    print n, target, version, title >(out "/cases")
    inside = 1; next
  }
  inside && NF { print >(out "/" n ".body") }' "$corpus"/isa_*.txt

# Declarations that an early target does not have are left out.
prelude() {
  awk -v target="$1" -v version="$2" '
    { sm = target; sub(/^sm_/, "", sm); sm += 0 }
    /^#/ { next }
    match($0, /^[a-z]*[0-9]*>/) {
      need = substr($0, 1, RLENGTH - 1); $0 = substr($0, RLENGTH + 1)
      if (need == "independent") { if (target !~ /independent/) next }
      else { sub(/^sm/, "", need); if (sm < need + 0) next }
    }
    { gsub(/@VERSION@/, version); gsub(/@TARGET@/, target); print }' "$SRCDIR/tests/grammar/prelude.txt"
}

PTXAS=${PTXAS-ptxas}
command -v "${PTXAS:-none}" >/dev/null || PTXAS=
release=$("${PTXAS:-false}" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p')

# The newest ptxas of the installed Tritons.
newer=${PTXAS_NEWER:-}
if [ -z "$newer" ] && [ -n "$PTXAS" ]; then
  for python in ${PTXOPT_TEST_PYTHON:-} python3; do
    folder=$("$python" -c 'import importlib.util as u; print(u.find_spec("triton").submodule_search_locations[0])' 2>/dev/null) || continue
    [ ! -x "$folder/backends/nvidia/bin/ptxas-blackwell" ] || echo "$folder/backends/nvidia/bin/ptxas-blackwell"
  done | while IFS= read -r program; do
    printf '%s\t%s\n' "$("$program" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')" "$program"
  done | sort -V | tail -n 1 | cut -f 2 >"$scratch/newer"
  newer=$(cat "$scratch/newer")
fi

# judge PTXAS N TARGET VERSION: prints the result of the case, as one word.
judge() {
  local program=$1
  shift
  local architecture=${2%%,*}
  case $architecture in sm_[1-6]?) architecture=sm_75 ;; esac
  { prelude "$2" "$3"; cat "$scratch/$1.body"; echo "ret; }"; } >"$scratch/$1.ptx"
  if limited "$program" -arch="$architecture" -c "$scratch/$1.ptx" -o "$scratch/$1.cubin" \
    >"$scratch/$1.log" 2>&1; then
    echo good
  elif grep -q "is not defined for option 'gpu-name'\|Unsupported .version" "$scratch/$1.log"; then
    echo older
  else
    echo bad
  fi
}

while read -r n target version title; do
  what="ptxas assembles $title"
  if [ "$target" = - ]; then
    skip "$what" "no ptxas is known that does"
  elif [ -z "$PTXAS" ]; then
    skip "$what" "no ptxas on PATH"
  elif [ "${release:-0}" -lt 13 ]; then
    skip "$what" "ptxas is older than 13.0"
  else
    verdict=$(judge "$PTXAS" "$n" "$target" "$version")
    [ "$verdict" != older ] || [ -z "$newer" ] || verdict=$(judge "$newer" "$n" "$target" "$version")
    case $verdict in
      good) ok "$what" ;;
      older) skip "$what" "this ptxas does not know $target or PTX $version" ;;
      *)
        grep -v 'warning\|info' "$scratch/$n.log" | comment -
        not_ok "$what"
        ;;
    esac
  fi
done <"$scratch/cases"

# ---- each instruction of the list begins a statement of some sample ----

cat "$scratch"/*.body | sed -e 's/^[A-Za-z0-9]*: *//' -e 's/^[A-Za-z0-9]*: *//' -e 's/^@!*[a-z0-9]* *//' |
  awk '{ print $1 }' | tr -d ';' | sort -u >"$scratch/opcodes"
missing=
while read -r name _; do
  case $name in '' | '#'*) continue ;; esac
  awk -v name="$name" 'BEGIN { n = split(name, words, ".") }
    { # the words in this order, possibly with others in between
      m = split($0, got, "."); i = 1
      for (j = 1; j <= m && i <= n; j++) if (got[j] == words[i]) i++
      if (got[1] == words[1] && i > n) { found = 1; exit }
    }
    END { exit !found }' "$scratch/opcodes" || missing="$missing $name"
done <"$SRCDIR/tests/grammar/instructions.txt"
if [ -z "$missing" ]; then
  ok "every instruction of the ISA has a sample"
else
  echo "# without one:$missing"
  not_ok "every instruction of the ISA has a sample"
fi
finish
