#!/usr/bin/env bash
# Do the cases notice when the optimizer believes something wrong, and does the checker keep it from
# the output? Each tests/mutants/NAME.patch is one wrong belief: applied to a copy of the file, which
# alone is compiled and linked before the library that was built, then judged over the cases (see
# mutants/judge.c and mutants/README.md). What its head expects:
#
#   caught      a case fails without the checker, the checker refuses, nothing refused comes out
#   cases       a case fails without the checker; what comes out is proven all the same
#   slips       a case fails without the checker, and with it too: only the cases stand in the way
#   equivalent  no case changes
#
# The last three are argued in the patch.
set -u
. "$SRCDIR/tests/tap.sh"

folders=(tests/rules tests/isa tests/never tests/pipeline tests/mutants/cases)
objects=("$BUILDDIR/tests/mutants/judge.o" "$BUILDDIR/tests/harness.o" "$BUILDDIR/.libs/libptxopt_internal.a")

# judge EXECUTABLE: its last line as "cases wrong refused slipped"; the rest goes to EXECUTABLE.log.
judge() {
  timeout 120 "$1" "${folders[@]}" >"$1.log" 2>&1
  sed -n '$s/^cases=\([0-9]*\) wrong=\([0-9]*\) refused=\([0-9]*\) slipped=\([0-9]*\)$/\1 \2 \3 \4/p' "$1.log"
}

# make_mutant PATCH FOLDER: FOLDER/judge, or false with what went wrong in FOLDER/log.
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
  # shellcheck disable=SC2086
  $TEST_CC -o "$2/judge" "${objects_of_mutant[@]}" "${objects[@]}" $TEST_LIBS -Wl,--wrap=check_run >>"$2/log" 2>&1
}

# as_expected EXPECT WRONG REFUSED SLIPPED
as_expected() {
  case $1 in
    caught) [ "$2" -gt 0 ] && [ "$3" -gt 0 ] && [ "$4" = 0 ] ;;
    cases) [ "$2" -gt 0 ] && [ "$4" = 0 ] ;;
    slips) [ "$2" -gt 0 ] && [ "$4" -gt 0 ] ;;
    equivalent) [ "$2" = 0 ] && [ "$4" = 0 ] ;;
    *) return 1 ;;
  esac
}

sentence() {
  case $1 in
    caught) echo "the cases and the checker catch $2" ;;
    cases) echo "the cases catch $2, which the checker need not" ;;
    slips) echo "the cases catch $2, which the checker is told to believe" ;;
    equivalent) echo "no case changes under $2" ;;
    *) echo "$2 says what is expected of it" ;;
  esac
}

# try PATCH: the result line without its number.
try() {
  local name expect counts folder
  name=$(basename "$1" .patch)
  folder=$MUTANTS_FOLDER/$name
  expect=$(sed -n 's/^Expect: //p' "$1")
  if ! make_mutant "$1" "$folder"; then
    comment "$folder/log"
    echo "not ok - $name applies and compiles"
  else
    read -r -a counts <<<"$(judge "$folder/judge")"
    if [ "${#counts[@]}" != 4 ]; then
      tail -n 3 "$folder/judge.log" | comment -
      echo "not ok - $name runs over all cases"
    else
      echo "# $name: of ${counts[0]} cases ${counts[1]} wrong, ${counts[2]} refused, ${counts[3]} slipped"
      if as_expected "$expect" "${counts[@]:1}"; then
        echo "ok - $(sentence "$expect" "$name")"
      else
        head -n 5 "$folder/judge.log" | comment -
        echo "not ok - $(sentence "$expect" "$name")"
      fi
    fi
  fi
  rm -rf "$folder"
}

if [ "${1:-}" = --try ]; then
  try "$2" >"$MUTANTS_FOLDER/$(basename "$2" .patch).tap"
  exit
fi

[ -z "${INSTRUMENTED:-}" ] || skip_all "this build is instrumented; mutants are linked to a plain one"
command -v patch >/dev/null || skip_all "no patch program"
for object in "${objects[@]}"; do
  [ -e "$object" ] || skip_all "no ${object#"$BUILDDIR"/} to link with"
done

read -r -a counts <<<"$(judge "$BUILDDIR/tests/mutants/judge")"
if [ "${counts[*]:1}" = "0 0 0" ]; then ok "without a mutation every case is as wanted, and proven"; else
  comment "$BUILDDIR/tests/mutants/judge.log"
  not_ok "without a mutation every case is as wanted, and proven"
fi
rm -f "$BUILDDIR/tests/mutants/judge.log"

export MUTANTS_FOLDER=$scratch
printf '%s\0' "$SRCDIR"/tests/mutants/*.patch |
  xargs -0 -P "$(nproc)" -n 1 bash "$SRCDIR/tests/mutants.sh" --try
for patch in "$SRCDIR"/tests/mutants/*.patch; do
  tap=$scratch/$(basename "$patch" .patch).tap
  grep '^#' "$tap"
  case $(grep -v '^#' "$tap") in
    'ok - '*) ok "$(sed -n 's/^ok - //p' "$tap")" ;;
    *) not_ok "$(sed -n 's/^not ok - //p' "$tap")" ;;
  esac
done
for expect in caught cases slips equivalent; do
  echo "# $expect: $(grep -lx "Expect: $expect" "$SRCDIR"/tests/mutants/*.patch | wc -l)"
done
argued=$(grep -Lx "Expect: caught" "$SRCDIR"/tests/mutants/*.patch | xargs -r grep -L '^Argument: ')
if [ -z "$argued" ]; then ok "what the checker does not catch is argued"; else
  printf '# %s\n' "$argued"
  not_ok "what the checker does not catch is argued"
fi
finish
