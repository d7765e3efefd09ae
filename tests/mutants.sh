#!/usr/bin/env bash
# Checks that the cases notice a wrong belief of the optimizer or of lint, and that the checker keeps it from the output.
# tests/mutants/FOLDER-STEM.patch has the wrong beliefs about src/FOLDER/STEM.c, each below a line "Mutant: NAME". Each is
# applied to a copy of the file. Only this copy is compiled, and linked before the library; then the cases are run (see
# mutants/judge.c and mutants/README.md). For a belief of the checker (src/check) the verdicts of tests/check are compared, for
# one of lint (src/lint) the findings in tests/lint-codes and tests/bugs.
# A change of one entry of a table is not a patch: mutants/tables.c makes these. The expectation in the head of a patch:
#
#   caught      a case fails without the checker, the checker refuses it, and no refused text is written;
#               for the checker: a verdict changes; for lint: a finding of a case changes
#   cases       a case fails without the checker; the output is still proven
#   slips       a case fails without the checker, and with it too: only the cases notice it
#   equivalent  no case changes
#   shared      the optimizer and the checker have the same belief: a case fails, and the checker proves the wrong output; the
#               machine code before and after, which depends on neither, shows the lost order (tests/sass)
#
# For cases, slips and equivalent the patch has an argument. `mutants.sh --split FOLDER` writes each as FOLDER/NAME.patch.
set -u
SRCDIR=${SRCDIR:-$(cd "$(dirname "$0")/.." && pwd)}

# split_mutants FOLDER: writes each mutant as FOLDER/NAME.patch.
split_mutants() {
  mkdir -p "$1"
  awk -v folder="$1" '
    /^Mutant: / {
      if (file != "") close(file)
      file = folder "/" $2 ".patch"; blank = 0
      if (getline line <file >= 0) { print FILENAME ":" FNR ": there are two mutants " $2 >"/dev/stderr"; exit 1 }
      printf "" >file
      next
    }
    { for (; blank; blank--) print "" >file }
    /^$/ { blank++; next }
    { print >file }' "$SRCDIR"/tests/mutants/*.patch
}
if [ "${1:-}" = --split ]; then
  split_mutants "$2"
  exit
fi

. "$SRCDIR/tests/tap.sh"

export PTXAS=${PTXAS-ptxas}
folders=(tests/rules tests/isa tests/never tests/pipeline tests/mutants/cases)
library=$BUILDDIR/.libs/libptxopt_internal.a
objects=("$BUILDDIR"/tests/mutants/{judge,texts,verdicts,findings}.o "$BUILDDIR"/tests/{case_file,case_lint,case_update,harness}.o "$library")

# judge EXECUTABLE ARGUMENT...: runs it, and prints the four numbers of its last line, "cases wrong refused slipped", or
# "crashed". All of its output is in EXECUTABLE.log.
judge() {
  local status=0
  limited "$@" >"$1.log" 2>&1 || status=$?
  # Ended by a signal, but not because of the time limit.
  if [ $status -gt 128 ] && [ $status != 137 ]; then echo crashed; return; fi
  sed -n '$s/^cases=\([0-9]*\) wrong=\([0-9]*\) refused=\([0-9]*\) slipped=\([0-9]*\)$/\1 \2 \3 \4/p' "$1.log"
}

# make_mutant PATCH FOLDER: makes FOLDER/judge, and for a shared belief FOLDER/differential; false with the error in FOLDER/log.
make_mutant() {
  local file source objects_of_mutant=()
  mkdir -p "$2"
  for file in $(sed -n 's|^+++ b/||p' "$1"); do
    mkdir -p "$2/$(dirname "$file")" && cat "$SRCDIR/$file" >"$2/$file" || return 1
  done
  (cd "$2" && patch -s -f -p1 -F0 --no-backup-if-mismatch) <"$1" >"$2/log" 2>&1 || return 1
  for source in $(sed -n 's|^+++ b/||p' "$1"); do
    # shellcheck disable=SC2086 # compiler and flags are words
    $TEST_CC -O0 -w -include config.h -I"$BUILDDIR" -I"$SRCDIR/src" -c "$2/$source" -o "$2/${source//\//-}.o" \
      >>"$2/log" 2>&1 || return 1
    objects_of_mutant+=("$2/${source//\//-}.o")
  done
  # Without symbols, which are most of the output of the linker.
  # shellcheck disable=SC2086
  $TEST_CC -Wl,-s -o "$2/judge" "${objects_of_mutant[@]}" "${objects[@]}" $TEST_LIBS -Wl,--wrap=check_run >>"$2/log" 2>&1 || return 1
  is_shared "$1" || return 0
  # shellcheck disable=SC2086
  $TEST_CC -Wl,-s -o "$2/differential" "${objects_of_mutant[@]}" "$BUILDDIR"/tests/sass/*.o \
    "$BUILDDIR"/tests/{case_run,case_file,harness}.o "$library" $TEST_LIBS >>"$2/log" 2>&1
}

is_of_checker() {
  grep -q '^+++ b/src/check/' "$1"
}

is_of_lint() {
  grep -q '^+++ b/src/lint/' "$1"
}

is_shared() {
  grep -qx 'Expect: shared' "$1"
}

# as_expected EXPECT WRONG REFUSED SLIPPED
as_expected() {
  case $1 in
    caught) [ "$2" -gt 0 ] && [ "$3" -gt 0 ] && [ "$4" = 0 ] ;;
    cases) [ "$2" -gt 0 ] && [ "$4" = 0 ] ;;
    slips) [ "$2" -gt 0 ] && [ "$4" -gt 0 ] ;;
    shared) [ "$2" -gt 0 ] && [ "$3" = 0 ] && [ "$4" = 0 ] ;;
    equivalent) [ "$2" = 0 ] && [ "$4" = 0 ] ;;
    *) return 1 ;;
  esac
}

sentence() {
  case $1 in
    caught) echo "the cases and the checker catch $2" ;;
    cases) echo "the cases catch $2, which the checker need not" ;;
    slips) echo "the cases catch $2, which the checker lets pass" ;;
    equivalent) echo "no case changes under $2" ;;
    shared) echo "the cases and the machine code catch $2" ;;
    *) echo "$2 says what is expected of it" ;;
  esac
}

# judge_rules NAME EXPECT FOLDER, judge_alone NAME EXPECT FOLDER WHAT ARGUMENT...: the result line without its number. For the
# checker and lint, WHAT (a verdict, a finding) alone shows a mutant; the arguments are those of judge.
judge_rules() {
  local counts
  read -r -a counts <<<"$(judge "$3/judge" "${folders[@]}")"
  if [ "${#counts[@]}" != 4 ]; then
    tail -n 3 "$3/judge.log" | comment -
    echo "not ok - $1 runs over all cases"
    return
  fi
  echo "# $1: of ${counts[0]} cases ${counts[1]} wrong, ${counts[2]} refused, ${counts[3]} slipped"
  if as_expected "$2" "${counts[@]:1}"; then
    echo "ok - $(sentence "$2" "$1")"
  else
    head -n 5 "$3/judge.log" | comment -
    echo "not ok - $(sentence "$2" "$1")"
  fi
}

judge_alone() {
  local counts
  read -r -a counts <<<"$(judge "$3/judge" "${@:5}")"
  [ "${counts[0]:-}" != crashed ] || counts=(1 1 0 0) # a crash shows the mutant, too
  case $2,${counts[1]:-none} in
    *,none) tail -n 3 "$3/judge.log" | comment -; echo "not ok - $1 runs over all cases" ;;
    caught,0) echo "not ok - a $4 shows $1" ;;
    caught,*) echo "ok - a $4 shows $1" ;;
    equivalent,0) echo "ok - no $4 shows $1" ;;
    equivalent,*) head -n 5 "$3/judge.log" | comment -; echo "not ok - no $4 shows $1" ;;
    *) echo "not ok - $1 says what is expected of it" ;;
  esac
}

# lint_folders PATCH: the folders of cases, first that of the code whose file it changes.
lint_folders() {
  local code
  code=$(sed -n 's|^+++ b/src/lint/\(.*\)\.c$|\1|p' "$1" | tr _ - | head -n 1)
  [ ! -d "$SRCDIR/tests/lint-codes/$code" ] || echo "tests/lint-codes/$code"
  echo tests/lint-codes
  echo tests/bugs
}

# judge_shared NAME FOLDER: as judge_rules; the machine code is compared for the cases about other columns.
judge_shared() {
  local said texts=("$EXPANDED"/never/columns/*.ptx)
  said=$(judge_rules "$1" shared "$2")
  case $said in
    *'not ok'*) echo "$said"; return ;;
  esac
  if ! command -v "${PTXAS:-none}" >/dev/null; then
    echo "# $1: no ptxas, so the machine code is not asked"
    echo "$said"
    return
  fi
  (cd "$SRCDIR" && SASS_FOLDER=$2 limited "$2/differential" real tests/sass/explained.tsv "${texts[@]}") >"$2/machine" 2>&1
  echo "# $1: the machine code of $(grep -c '^differs' "$2/machine") texts shows it"
  if grep -q '^differs' "$2/machine"; then echo "$said"; else
    comment "$2/machine"
    echo "not ok - $(sentence shared "$1")"
  fi
}

# try PATCH: the result line without its number.
try() {
  local name expect folder
  name=$(basename "$1" .patch)
  folder=$MUTANTS_FOLDER/$name
  expect=$(sed -n 's/^Expect: //p' "$1")
  if ! make_mutant "$1" "$folder"; then
    comment "$folder/log"
    echo "not ok - $name applies and compiles"
  elif is_shared "$1"; then
    judge_shared "$name" "$folder"
  elif is_of_checker "$1"; then
    judge_alone "$name" "$expect" "$folder" verdict --verdicts --soon
  elif is_of_lint "$1"; then
    # shellcheck disable=SC2046 # names of folders have no blanks
    judge_alone "$name" "$expect" "$folder" finding --lint $(lint_folders "$1")
  else
    judge_rules "$name" "$expect" "$folder"
  fi
  rm -rf "$folder"
}

if [ "${1:-}" = --try ]; then
  try "$2" >"$MUTANTS_FOLDER/$(basename "$2" .patch).tap"
  exit
fi

[ -z "${INSTRUMENTED:-}" ] || skip_all "this build is instrumented; mutants are linked to a plain one"
command -v patch >/dev/null || skip_all "no patch program"
for object in "${objects[@]}" "$BUILDDIR"/tests/sass/main.o; do
  [ -e "$object" ] || skip_all "no ${object#"$BUILDDIR"/} to link with"
done

# unchanged WHAT ARGUMENT...: runs the cases without a mutation. A case that fails here would seem to notice every mutant,
# so then no mutant is tried.
unchanged() {
  local counts
  read -r -a counts <<<"$(judge "$BUILDDIR/tests/mutants/judge" "${@:2}")"
  if [ "${counts[*]:1}" = "0 0 0" ]; then ok "$1"; else
    comment "$BUILDDIR/tests/mutants/judge.log"
    echo "# no mutant was tried, as these would seem to notice each: correct them first (make check)"
    not_ok "$1"
    finish
  fi
  rm -f "$BUILDDIR/tests/mutants/judge.log"
}
unchanged "without a mutation every case is as wanted, and proven" "${folders[@]}"
unchanged "without a mutation every verdict is as wanted" --verdicts
unchanged "without a mutation every finding is as marked" --lint tests/lint-codes tests/bugs

# mutants/table/GLOB selects mutants that mutants/tables.c makes.
tables=
case ${CASES:-} in
  '' | 'mutants/*') tables=all ;;
  mutants/table/*) tables=${CASES#mutants/table/} ;;
esac
if [ -n "$tables" ]; then
  if [ "$tables" = all ]; then set --; else set -- "$tables"; fi
  "$BUILDDIR/tests/mutants/tables" "$@" >"$scratch/tables" 2>&1 || not_ok "tests/mutants/tables comes to its end"
  while IFS= read -r line; do
    case $line in
      'ok - '*) ok "${line#ok - }" ;;
      'not ok - '*) not_ok "${line#not ok - }" ;;
      *) echo "# ${line#\# }" ;;
    esac
  done <"$scratch/tables"
  what="some entry of a table is called $tables"
  if grep -qE '^(not )?ok' "$scratch/tables"; then ok "$what"; else
    echo "# names are RULE N/EFFECT: CHANGE, opcode/ROW: CHANGE, check/ROW: CHANGE; a row of register work has none"
    not_ok "$what"
  fi
fi

split_mutants "$scratch/split" || not_ok "each mutant has a name of its own"
patches=()
for patch in "$scratch"/split/*.patch; do
  if chosen "mutants/$(basename "$patch" .patch)"; then patches+=("$patch"); fi
done
export MUTANTS_FOLDER=$scratch CASES=
# Not `printf … "${patches[@]}"`: if there is no patch, that prints an empty name.
for patch in "${patches[@]}"; do printf '%s\0' "$patch"; done |
  xargs -0 -r -P "$(nproc)" -n 1 bash "$SRCDIR/tests/mutants.sh" --try
for patch in "${patches[@]}"; do
  tap=$scratch/$(basename "$patch" .patch).tap
  grep '^#' "$tap"
  case $(grep -v '^#' "$tap") in
    'ok - '*) ok "$(sed -n 's/^ok - //p' "$tap")" ;;
    *) not_ok "$(sed -n 's/^not ok - //p' "$tap")" ;;
  esac
done
for expect in caught cases slips equivalent shared; do
  echo "# $expect: $(cat "$SRCDIR"/tests/mutants/*.patch | grep -cx "Expect: $expect")"
done
argued=$(grep -LxE "Expect: (caught|shared)" "$scratch"/split/*.patch | xargs -r grep -L '^Argument: ')
if [ -z "$argued" ]; then ok "what the checker does not catch is argued"; else
  printf '# %s\n' "$argued"
  not_ok "what the checker does not catch is argued"
fi
finish
