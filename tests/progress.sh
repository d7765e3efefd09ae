#!/usr/bin/env bash
# The messages of `make check` while it runs. As a program: progress.sh TIER SUITE... makes the plan,
# $BUILDDIR/tests/progress.plan, and prints it. driver.sh sources it, and calls the functions when a suite starts
# and ends. The remaining time is estimated from tests/seconds.tsv, the processor seconds of an earlier run, and no
# test depends on it.
plan=$BUILDDIR/tests/progress.plan

# short NAME: tests/rules.sh is rules, tests/unit/test_buf is unit/test_buf.
short() {
  local name=${1#tests/}
  echo "${name%.sh}"
}

# progress_plan TIER SUITE...
progress_plan() {
  mkdir -p "$BUILDDIR/tests"
  {
    printf 'begin\t%s\n' "$(date +%s)"
    for suite in "${@:2}"; do short "$suite"; done | awk -F '\t' -v OFS='\t' '
      NR == FNR { if (!/^#/) seconds[$1] = $2; next }
      { print "plan", $1, $1 in seconds ? seconds[$1] : 5 }' "$SRCDIR/tests/seconds.tsv" -
  } >"$plan"
  awk -F '\t' -v tier="$1" '$1 == "plan" { n++; sum += $3 }
    END { printf "make %s: %d %s, about %d s of processor time\n", tier, n, n == 1 ? "suite" : "suites", sum }' "$plan" |
    say_progress
}

# say_progress: prints standard input in one write, also to the file that bootstrap shows.
say_progress() {
  local text
  text=$(cat)
  printf '%s\n' "$text"
  [ -z "${PROGRESS_FD:-}" ] || printf '%s\n' "$text" >&"$PROGRESS_FD"
}

progress_starts() {
  [ ! -e "$plan" ] || printf 'start\t%s\n' "$(short "$1")" >>"$plan"
}

# Prints the remaining work, as " | 3 suites left, about 20 s; running: http cli".
left() {
  awk -F '\t' -v now="$(date +%s)" '
    $1 == "begin" { begin = $2 }
    $1 == "plan" { cost[$2] = $3; todo[$2]; order[++n] = $2 }
    $1 == "start" { running[$2] }
    $1 == "end" { delete todo[$2]; delete running[$2]; done += cost[$2] }
    END {
      for (suite in todo) { count++; rest += cost[suite] }
      if (!count) exit
      printf " | %d left", count
      if (done > 0) printf ", about %d s", (now - begin) * rest / done + 0.5
      for (i = 1; i <= n; i++) if (order[i] in running) now_running = now_running " " order[i]
      if (now_running) printf "; running:%s", now_running
    }' "$plan"
}

# progress_ends NAME TRS LOG: LOG.lines has what tap-driver.sh printed, LOG.times the shell's times.
progress_ends() {
  local name counts
  name=$(short "$1")
  [ -e "$plan" ] || printf 'begin\t%s\n' "$(date +%s)" >"$plan"
  printf 'end\t%s\n' "$name" >>"$plan"
  counts=$(awk '$1 == ":test-result:" { n[$2]++ }
    END { printf "%d passed, %d failed", n["PASS"] + n["XFAIL"], n["FAIL"] + n["XPASS"] + n["ERROR"]
      if (n["SKIP"]) printf ", %d skipped", n["SKIP"] }' "$2")
  {
    printf '%-24s %-38s %4d s%s\n' "$name" "$counts" "$(processor_seconds "$3.times")" "$(left)"
    if [ -n "${CASES:-}" ]; then cat "$3.lines"; else
      grep -E '^[^:]*(FAIL|XPASS|ERROR)[^:]*: ' "$3.lines" | head -n 40 | sed 's/^/  /'
    fi
    if grep -q '^:global-test-result: [^PS]' "$2"; then echo "  (details: ${3#"$BUILDDIR"/})"; fi
  } | say_progress
}

# processor_seconds FILE: prints the processor time of the children, from the second line of the output of `times`.
processor_seconds() {
  awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4 + 0.5) }' "$1"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then progress_plan "$@"; fi
