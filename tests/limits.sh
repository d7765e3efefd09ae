#!/usr/bin/env bash
# Limits the cost of a text: instructions per byte under callgrind, and the largest resident set minus that of a run
# that does nothing, as a multiple of the text. The limits are in tests/bench/limits.tsv, which is valid for
# the compiler in its first line. No limit is a time. UPDATE=1 records the present figures plus 5 %.
set -u
. "$SRCDIR/tests/tap.sh"
. "$SRCDIR/tests/bench/texts.sh"
limits=$SRCDIR/tests/bench/limits.tsv used=$BUILDDIR/tests/bench/used

grep -qE '^SAN_CFLAGS = *$' "$BUILDDIR/Makefile" || skip_all "this build is instrumented"
grep -qE '^CFLAGS = -g -O3$' "$BUILDDIR/Makefile" || skip_all "this build has flags of its own"
grep -q '^TREE_SITTER_LIBS = .*libtree-sitter\.a' "$BUILDDIR/Makefile" || skip_all "the tree-sitter library is the shared one"
grep -q '^PROGRAM_LDFLAGS = -all-static$' "$BUILDDIR/Makefile" || skip_all "the programs are not static"
compiler=$(sed -n 's/^CC = //p' "$BUILDDIR/Makefile")
# shellcheck disable=SC2086 # a command and its options
compiler="$($compiler -dumpmachine 2>/dev/null) $($compiler --version 2>/dev/null | head -n 1)"
recorded=$(sed -n '1s/^# *//p' "$limits")
[ -n "${UPDATE:-}" ] || [ "$compiler" = "$recorded" ] || skip_all "recorded with $recorded"

# text_of NAME: prints the text of a row.
text_of() {
  case $1 in
    attention-of-4-MB) multiply "$SRCDIR/examples/attention/attention.ptx" 4000000 ;;
    unread-of-1-MB) unread 1000000 ;;
    unread-of-100-KB) unread 100000 ;;
    attention-with-CR-LF) sed 's/$/\r/' "$SRCDIR/examples/attention/attention.ptx" ;;
    *@*) bash "$SRCDIR/tests/bench/families.sh" "${1%@*}" "${1#*@}" ;;
    *) cat "$SRCDIR/examples/$1/$1.ptx" ;;
  esac >"$scratch/$1.ptx"
}

# instructions FILE OPTION...: prints the instructions for each byte of the file.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$PTXOPT" "$@" 2>&1 |
    awk -v bytes="$(wc -c <"$1")" '/Collected/ { printf "%.1f", $NF / bytes }'
}

# run_of NAME: prints the options of its run, as words; the rows lint-* run lint.
run_of() { case $1 in lint-*) echo --lint ;; *) echo "-o $scratch/out.ptx" ;; esac; }

# peak FILE OPTION...: prints the largest resident set as a multiple of the file.
peak() {
  local whole idle
  whole=$("$used" -n 5 "$PTXOPT" "$@" | cut -d ' ' -f 3)
  idle=$("$used" -n 5 "$PTXOPT" --version | cut -d ' ' -f 3)
  awk -v kb=$((whole - idle)) -v bytes="$(wc -c <"$1")" 'BEGIN { printf "%.2f", (kb > 0 ? kb * 1024 : 0) / bytes }'
}

# judge NAME WHAT GOT LIMIT
judge() {
  echo "# $1: $3 $2, at most $4" >&3
  if awk -v got="$3" -v most="$4" 'BEGIN { exit !(got <= most) }'; then ok "$1: $2"; else not_ok "$1: $2"; fi
}

# more MEASURED SLACK: prints the figure with a margin, for UPDATE; "-" means not measured.
more() { if [ "$1" = - ]; then echo -; else awk -v was="$1" -v slack="$2" 'BEGIN { printf "%.2f", was * 1.05 + slack }'; fi; }

# slack FILE: prints by how much a resident set differs from run to run (256 KB), as a multiple of the file.
slack() { awk -v bytes="$(wc -c <"$1")" 'BEGIN { printf "%.2f", 262144 / bytes }'; }

exec 3>&1
have_valgrind=$(command -v valgrind)
while IFS=$'\t' read -r name most_instructions most_peak most_lint; do
  case $name in '' | '#'*) continue ;; esac
  if ! chosen "limits/$name"; then
    printf '%s\t%s\t%s\t%s\n' "$name" "$most_instructions" "$most_peak" "$most_lint" >>"$scratch/rows"
    continue
  fi
  text_of "$name"
  got=$most_instructions
  if [ "$most_instructions" = - ]; then :
  elif [ -z "$have_valgrind" ]; then skip "$name: instructions a byte" "no valgrind here"
  else
    # shellcheck disable=SC2046 # options are words
    got=$(instructions "$scratch/$name.ptx" $(run_of "$name"))
    [ -n "${UPDATE:-}" ] || judge "$name" "instructions a byte" "$got" "$most_instructions"
  fi
  lint=$most_lint
  if [ "$most_lint" = - ] || [ "$got" = - ]; then :
  elif [ -z "$have_valgrind" ]; then skip "$name: times of the run as --lint" "no valgrind here"
  else
    lint=$(awk -v lint="$(instructions "$scratch/$name.ptx" --lint)" -v own="$got" 'BEGIN { printf "%.2f", lint / own }')
    [ -n "${UPDATE:-}" ] || judge "$name" "times of the run as --lint" "$lint" "$most_lint"
  fi
  times=$most_peak
  if [ "$most_peak" != - ]; then
    # shellcheck disable=SC2046 # options are words
    times=$(peak "$scratch/$name.ptx" $(run_of "$name"))
    [ -n "${UPDATE:-}" ] || judge "$name" "times of the text in memory" "$times" "$most_peak"
  fi
  printf '%s\t%s\t%s\t%s\n' "$name" "$(more "$got" 0.05)" "$(more "$times" "$(slack "$scratch/$name.ptx")")" \
    "$(more "$lint" 0)" >>"$scratch/rows"
  rm "$scratch/$name.ptx"
done <"$limits"
if [ -n "${UPDATE:-}" ]; then
  { echo "# $compiler"; sed -n '2,/^[^#]/{/^#/p}' "$limits"; cat "$scratch/rows"; } >"$scratch/limits.tsv"
  cp "$scratch/limits.tsv" "$limits"
  ok "rewrote $limits"
fi
finish
