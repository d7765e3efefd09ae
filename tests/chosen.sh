#!/usr/bin/env bash
# chosen.sh GLOB: prints the scripts that have a case, or a file of cases, whose name matches, for `make check CASE=GLOB`. The
# number of these cases is written to standard error. The name of a case is its path in tests/, without suffix:
# rules/wait-covered/loops:arrival-inside-the-spin-loop, cli/options:help-names-every-option, mutants/pair-any-address,
# http/routes. Each script then chooses among its own cases (chosen in tap.sh, is_chosen in harness.c).
set -euo pipefail
cd "$SRCDIR"

# Prints a line "SCRIPT NAME" for each case.
cases() {
  find tests/rules tests/isa tests/never tests/pipeline tests/lint-codes tests/bugs tests/mutants/cases -name '*.ptx' -exec awk -f tests/case-names.awk {} + |
    sed -E 's|^mutants/cases/|tests/mutants/cases.sh &|; t; s|^([a-z-]+)/|tests/\1.sh &|'
  find tests/roles tests/check tests/bad -name '*.ptx' \
    ! -path 'tests/check/opcodes/*' | sed -E 's|^tests/([a-z-]+)/(.*)\.ptx$|tests/\1.sh \1/\2|'
  # Each case of lint is a separate text for other suites, too.
  find tests/lint-codes tests/bugs -name '*.ptx' -exec awk -f tests/case-names.awk {} + | sed 's|:|/|; s|:|.|' |
    sed 's|.*|tests/renamed.sh renamed/&\ntests/fix.sh fix/&|'
  find tests/roles examples -name '*.ptx' |
    sed -E 's|^(tests/)?(.*)\.ptx$|tests/renamed.sh renamed/\2|'
  find tests/roles tests/fix tests/pairs examples -name '*.ptx' -o -name '*.txt' |
    sed -E 's|^(tests/)?(fix/)?(.*)\.[a-z]+$|tests/fix.sh fix/\3|'
  echo tests/check.sh check/opcodes
  awk '/^==== / { file = FILENAME; gsub(/^tests\/|\.cases$/, "", file); folder = file; sub(/\/.*/, "", folder)
    print "tests/" folder ".sh " file ":" $2 }' tests/{cli,wrapper,action}/*.cases
  sed -n 's|^Mutant: |tests/mutants.sh mutants/|p' tests/mutants/*.patch
  case $1 in mutants/table/*) echo "tests/mutants.sh $1" ;; esac
  { sed -n 's|^    X(\([a-z]*\), "[a-z]*/.*|\1|p' src/report/format.h; printf 'page\ntraits\nREADME\nopenapi\n'; } |
    sed -n 's|.*|report/&|; /page/!s|^|tests/report.sh |p; s|^tests/report.sh ||; /traits\|README\|openapi/!s|^|tests/report-consumers.sh |p'
  find tests/python -name 'test_*.py' | sed -E 's|^.*/test_(.*)\.py$|tests/python.sh python/\1|'
  grep -oE '"[a-z]+"' tests/http/run.py | tr -d '"' | sed 's|^|tests/http.sh http/|'
  find tests/lsp/talks -name '*.talk' | sed -E 's|^tests/(.*)\.talk$|tests/lsp.sh \1|'
  grep -lE '^def main' tests/lsp/[!t]*.py | sed -E 's|^tests/(.*)\.py$|tests/lsp.sh \1|'
  sed -n 's/^PARTS = (\(.*\))$/\1/p' tests/sentry/run.py | tr -cs 'a-z\n' '\n' | sed -n 's|^[a-z].*|tests/sentry.sh sentry/&|p'
  sed -nE 's/^([^#\t]+)\t.*/tests\/limits.sh limits\/\1/p' tests/bench/limits.tsv
  find examples -name '*.expected.diff' | sed -E 's|^(.*)\.expected\.diff$|tests/examples.sh \1|'
}

count=0 scripts=' '
while read -r script name; do
  # shellcheck disable=SC2053 # it is a pattern
  [[ $name == $1 || ${name%%:*} == $1 ]] || continue
  count=$((count + 1))
  case $scripts in *" $script "*) ;; *) scripts+="$script " ;; esac
done < <(cases "$1")
if [ "$count" = 0 ]; then
  echo "CASE='$1': no case has such a name; they are FOLDER/NAME, as rules/wait-covered/loops:arrival-inside-the-spin-loop" >&2
  exit 1
fi
if [ "$count" = 1 ]; then cases='1 case'; else cases="$count cases"; fi
echo "CASE='$1': $cases of${scripts% }" >&2
echo "$scripts"
