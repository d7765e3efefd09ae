#!/usr/bin/env bash
# The output if system calls fail: each allocation, read, write, open, close and rename of one run fails once, and
# the input is cut at every byte. In every case the output file is unchanged or the complete result, no other file
# remains, and there is one line with the error.
set -u
. "$SRCDIR/tests/tap.sh"

most_runs=2000 # of the allocations; if there are more, only some of them fail
kernel=$SRCDIR/tests/fuzz/kernel.ptx
work=$scratch/work

# tap NAME: ok if $scratch/found is empty, otherwise its lines are the faults.
tap() {
  if [ -s "$scratch/found" ]; then
    comment "$scratch/found"
    not_ok "$1"
  else
    ok "$1"
  fi
  : >"$scratch/found"
}
: >"$scratch/found"

# ---- the beginnings of a text ----

"$BUILDDIR/tests/fuzz/prefixes" tests/fuzz/kernel.ptx >"$scratch/prefixes" 2>&1
if ! grep -q '^ok' "$scratch/prefixes"; then cp "$scratch/prefixes" "$scratch/found"; fi
tap "wherever the text is cut, the library refuses or optimizes it"

mkdir "$work"
size=$(wc -c <"$kernel")
for ((cut = 0; cut < size; cut += 61)); do
  head -c "$cut" "$kernel" >"$scratch/cut.ptx"
  rm -f "$work"/* "$work"/.ptxopt*
  limited "$PTXOPT" "$scratch/cut.ptx" -o "$work/out.ptx" 2>"$scratch/stderr"
  status=$?
  case $status in
    0) [ -e "$work/out.ptx" ] || echo "cut at $cut: status 0 and no output" ;;
    2) [ -e "$work/out.ptx" ] && echo "cut at $cut: status 2 and an output"
      [ -s "$scratch/stderr" ] || echo "cut at $cut: status 2 and no message" ;;
    *) echo "cut at $cut: status $status" ;;
  esac
done >"$scratch/found"
tap "wherever the text is cut, the program ends with 0 and an output or 2 and none"

# ---- failing calls ----

library=$scratch/faults.so
reason=
[ -z "${INSTRUMENTED:-}" ] || reason="this build is instrumented: it allocates in its own way"
# shellcheck disable=SC2086 # compiler and flags are words
[ -n "$reason" ] || $TEST_CC -w -shared -fPIC -include config.h -I"$BUILDDIR" "$SRCDIR/tests/fuzz/faults.c" \
  -o "$library" >"$scratch/log" 2>&1 || reason="no library to preload can be built here"

# The program itself, not libtool's script around it.
program=$BUILDDIR/tests/fuzz/.libs/shared
[ -x "$program" ] || program=$BUILDDIR/tests/fuzz/shared

# run CALL NTH HOW: runs the program with that call failing; returns its status. Its output is in $scratch.
run() {
  # By env, so that the call does not fail in timeout.
  limited env FAULT_CALL="$1" FAULT_NTH="$2" FAULT_HOW="$3" FAULT_COUNT="$scratch/count" \
    LD_PRELOAD="$library" "$program" "${arguments[@]}" 2>"$scratch/stderr" >"$scratch/stdout" < <(cat "${piped:-/dev/null}")
}

# start KIND: prepares the folder for a run: without an output, or with an old one.
start() {
  rm -f "$work"/* "$work"/.ptxopt*
  if [ "$1" = replaced ]; then cp "$scratch/old.ptx" "$work/out.ptx"; fi
}

one_line() { [ "$(wc -l <"$scratch/stderr")" = 1 ]; }

# left KIND WHAT: reports a fault unless the output is the complete result, or unchanged.
left_whole() { cmp -s "$work/out.ptx" "$scratch/whole.ptx" || echo "$1: the output is not the result"; }
left_alone() {
  if [ "$1" = replaced ]; then
    cmp -s "$work/out.ptx" "$scratch/old.ptx" || echo "$2: the old output is harmed"
  elif [ -e "$work/out.ptx" ]; then
    echo "$2: an output is left"
  fi
}
left_tidy() {
  local files=("$work"/.ptxopt*)
  [ ! -e "${files[0]}" ] || echo "$1: a temporary file is left"
}

if [ -z "$reason" ]; then
  arguments=("$kernel" -o "$work/out.ptx")
  start new
  run none 0 0 || reason="the program does not run with a library preloaded"
  cp "$work/out.ptx" "$scratch/whole.ptx"
  printf 'old\n' >"$scratch/old.ptx"
  run alloc 0 0
  [ "$(cat "$scratch/count" 2>/dev/null || echo 0)" -gt 0 ] || reason="allocations cannot be counted here"
fi
if [ -n "$reason" ]; then
  skip "an allocation that fails" "$reason"
  skip "a read or write that fails" "$reason"
  finish
fi

# allocations KIND: every allocation of a run (or some of them) fails once.
allocations() {
  local count step nth status what
  start "$1"
  run alloc 0 0
  count=$(cat "$scratch/count")
  step=$(((count + most_runs - 1) / most_runs))
  echo "# $count allocations, one in $step fails" >&3
  for ((nth = 1; nth <= count; nth += step)); do
    start "$1"
    run alloc "$nth" 12
    status=$?
    what="allocation $nth of $count"
    case $status in
      70)
        one_line || echo "$what: $(wc -l <"$scratch/stderr") lines on standard error"
        left_alone "$1" "$what" ;;
      0) left_whole "$what" ;; # the program does not need it
      *) echo "$what: status $status"; sed 's/^/  /' "$scratch/stderr" ;;
    esac
    left_tidy "$what"
  done
}
exec 3>&1
allocations new 2>/dev/null >"$scratch/found"
tap "an allocation that fails ends the program with 70, one line and no output"
most_runs=200
allocations replaced 2>/dev/null >"$scratch/found"
tap "an allocation that fails leaves the old output as it was"

# calls KIND CALL HOW: each such call of a run fails once. The program either does not need the call (a file that
# cannot be compared is replaced, a message that cannot be printed is lost), or ends with status 2.
calls() {
  local count nth status what
  start "$1"
  run "$2" 0 0
  count=$(cat "$scratch/count")
  for ((nth = 1; nth <= count; nth++)); do
    start "$1"
    run "$2" "$nth" "$3"
    status=$?
    what="$2 $nth of $count, $3, $1"
    case $status in
      0)
        left_whole "$what"
        [ ! -s "$scratch/stderr" ] || echo "$what: status 0 and a message" ;;
      2)
        case $3 in 4 | short) echo "$what: it is no failure, but the program gave up" ;; esac
        one_line || echo "$what: $(wc -l <"$scratch/stderr") lines on standard error"
        left_alone "$1" "$what" ;;
      *) echo "$what: status $status" ;;
    esac
    left_tidy "$what"
    echo $((failed_calls += 1)) >"$scratch/failed"
  done
}
failed_calls=0
# EINTR 4, EIO 5, EACCES 13, EMFILE 24, ENOSPC 28
for kind in new replaced; do
  for how in 5 4 short; do
    calls $kind read $how
    calls $kind pread $how
  done
done >"$scratch/found"
tap "a read that fails ends the program with 2 and one line, an interrupted or short one does not"
for kind in new replaced; do
  for how in 5 28 4 short; do calls $kind write $how; done
done >"$scratch/found"
tap "a write that fails ends the program with 2 and one line, an interrupted or short one does not"
for kind in new replaced; do
  for how in 13 24; do calls $kind open $how; done
  for how in 5 28; do calls $kind close $how; done
  for how in 5 28; do calls $kind rename $how; done
  calls $kind fchmod 1
done >"$scratch/found"
tap "an open, close, rename or fchmod that fails harms no file"

# A large text in which nothing can be found is copied in pieces.
{ echo .version 9.0; yes 'add.s32 %r1, %r2, %r3;'; } | head -c 300000 >"$scratch/large.ptx"
cp "$scratch/large.ptx" "$scratch/whole.ptx"
small_old=$(cat "$scratch/old.ptx")
head -c 299999 "$scratch/large.ptx" >"$scratch/old.ptx"
echo x >>"$scratch/old.ptx"
arguments=("$scratch/large.ptx" -o "$work/out.ptx")
for kind in new replaced; do
  for how in 5 4 short; do
    calls $kind pread $how
    calls $kind write $how
  done
  calls $kind open 13
  calls $kind close 5
done >"$scratch/found"
tap "a copy in pieces of which one fails ends the program with 2 and one line, or is the whole"
piped=$scratch/large.ptx arguments=(- -o "$work/out.ptx")
for kind in new replaced; do
  for how in 5 28 4 short; do
    calls $kind read $how
    calls $kind write $how
  done
  calls $kind open 13
  calls $kind close 5
  calls $kind rename 5
  calls $kind fchmod 1
done >"$scratch/found"
tap "a pipe that is passed on ends the program with 2 and one line when a call fails, or is the whole"
piped=
printf '%s\n' "$small_old" >"$scratch/old.ptx"
arguments=("$kernel" -o "$work/out.ptx")
start new
run none 0 0
cp "$work/out.ptx" "$scratch/whole.ptx"

# The result on standard output: a failed write is reported.
arguments=("$kernel")
run write 1 28
status=$?
if [ "$status" != 2 ] || ! one_line; then echo "status $status" >"$scratch/found"; fi
tap "a full disk after standard output ends the program with 2 and one line"
run write 1 short
cmp -s "$scratch/stdout" "$scratch/whole.ptx" || echo "standard output is not the result" >"$scratch/found"
tap "a short write to standard output is continued"

# With messages: a standard error that cannot be written does not change the output.
arguments=("$kernel" -o "$work/out.ptx" --remarks)
start new
run write 2 5
status=$?
{ [ "$status" = 0 ] || echo "status $status"; left_whole "remarks"; } >"$scratch/found"
tap "a standard error that cannot be written harms no output"
echo "# $(cat "$scratch/failed") failing calls"
finish
