#!/usr/bin/env bash
# Figures of one run, as Markdown: processor time (user and system) compared with ptxas, instructions per byte,
# memory, start-up, the service, and lower bounds for each. Slow results are not failures; limits.tsv has the
# limits. README=1 writes the figures marked with * into doc/cost.md, and their summary into the README;
# BENCH_LARGE=1 also measures 100 MB; BENCH_RUNS=N is the number of runs for a figure; BENCH_KERNELS="DIR..." also
# measures the kernels of these folders.
set -euo pipefail
cd "$BUILDDIR"
. "$SRCDIR/tests/bench/texts.sh"
here=$BUILDDIR/tests/bench runs=${BENCH_RUNS:-9} ptxas=${PTXAS-ptxas}
scratch=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill "$service" 2>/dev/null; rm -rf "$scratch"' EXIT
readme=$scratch/readme.md
: >"$readme"

mapfile -t kernels < <(examples)
attention=$SRCDIR/examples/attention/attention.ptx
multiply "$attention" 4000000 >"$scratch/attention of 4 MB.ptx"
unread 100000000 >"$scratch/unread.ptx"

say() { printf '%s\n' "$*"; }
both() { tee -a "$readme"; }
size() { wc -c <"$1"; }
name_of() { local name=${1##*/}; echo "${name%.ptx}"; }
calc() { awk -v "a=${2:-0}" -v "b=${3:-0}" -v "c=${4:-0}" "BEGIN { printf $1 }"; }

# used COMMAND...: "cpu-ms wall-ms peak-KB", medians.
used() { "$here/used" -n "$runs" "$@"; }
cpu() { used "$@" | cut -d ' ' -f 1; }
peak() { used "$@" | cut -d ' ' -f 3; }

# ptxas_ms FILE: prints the processor time of ptxas; nothing if there is no ptxas or it refuses the file.
ptxas_ms() {
  local target
  target=$(sed -n 's/^[[:space:]]*\.target[[:space:]]*\([a-z0-9_]*\).*/\1/p' "$1" | head -n 1)
  command -v "$ptxas" >/dev/null || return 0
  "$here/used" -n 3 "$ptxas" -arch="${target:-sm_100a}" "$1" -o "$scratch/cubin" 2>/dev/null | cut -d ' ' -f 1 || true
}

# profile COMMAND...: prints the instructions as "parse plan check rest whole", and the bytes read by these; nothing
# without valgrind.
profile() {
  command -v valgrind >/dev/null || return 0
  valgrind --tool=callgrind --callgrind-out-file="$scratch/callgrind" "$@" >/dev/null 2>&1 || true
  callgrind_annotate --inclusive=yes --threshold=100 --auto=no "$scratch/callgrind" | tr -d , | awk '
    FNR == NR { if (!/^#/) { phases[++count] = $1; for (i = 2; i <= NF; i++) phase[$i] = $1 }; next }
    /PROGRAM TOTALS/ { whole = $1 }
    # 1234 (5.6%)  file.c:name [object]: a function of a phase counts where it costs most, a recursion once
    match($0, /:[A-Za-z_0-9]+ / ) {
      name = substr($0, RSTART + 1, RLENGTH - 2)
      if (name in phase && $1 > most[name]) most[name] = $1
    }
    END {
      for (name in most) { cost[phase[name]] += most[name]; known += most[name] }
      for (i = 1; i <= count; i++) printf "%d ", cost[phases[i]]
      printf "%d %d\n", whole - known, whole
    }' "$SRCDIR/tests/bench/phases.tsv" -
}

# a_byte FIGURES BYTES: prints each figure per byte, as columns.
a_byte() { awk -v figures="$1" -v bytes="$2" 'BEGIN { n = split(figures, f, " "); for (i = 1; i <= n; i++) printf " %.1f |", f[i] / bytes }'; }

# summary WHAT: prints a summary of the percentages on standard input.
summary() {
  sort -g | awk -v what="$1" '{ all[NR] = $1 } END {
    printf "%s: median %.2f %%, worst %.2f %%, %d kernels.\n", what, all[int((NR + 1) / 2)], all[NR], NR }'
}

# ---- one file ----

one_file() {
  local file own theirs bytes share figures
  {
    say '| kernel | KB | ptxopt, ms | ptxas, ms | of ptxas | parse | plan | check | rest | instructions a byte |'
    say '|---|---|---|---|---|---|---|---|---|---|'
    for file in "${kernels[@]}" "$scratch/attention of 4 MB.ptx"; do
      bytes=$(size "$file") own=$(cpu "$PTXOPT" "$file" -o "$scratch/out.ptx") theirs='' share=''
      if [ "$bytes" -lt 1000000 ]; then theirs=$(ptxas_ms "$file"); fi
      if [ -n "$theirs" ]; then share=$(calc '"%.1f %%", 100 * a / b' "$own" "$theirs"); fi
      if [ "$bytes" -lt 1000000 ]; then figures=$(profile "$PTXOPT" "$file" -o "$scratch/out.ptx"); else figures=; fi
      printf '| `%s` | %s | %s | %s | %s |%s\n' "$(name_of "$file")" "$(calc '"%.0f", a / 1000' "$bytes")" \
        "$(calc '"%.2f", a' "$own")" "${theirs:+$(calc '"%.0f", a' "$theirs")}" "$share" \
        "$(if [ -n "$figures" ]; then a_byte "$figures" "$bytes"; else echo ' | | | | |'; fi)"
      if [ -z "$theirs" ]; then continue; fi
      calc '"%.4f\n", 100 * a / b' "$own" "$theirs" >>"$scratch/shares"
      echo "$theirs" >>"$scratch/theirs"
    done
  } | both
  [ -s "$scratch/shares" ] || return 0
  { say; summary 'Of ptxas' <"$scratch/shares"; } | both
}

# Kernels of a few lines, where the cost is that of the start.
small_ones() {
  local file theirs
  : >"$scratch/small"
  for file in "$EXPANDED"/{pipeline,isa}/*/*.ptx; do
    theirs=$(ptxas_ms "$file")
    [ -z "$theirs" ] || calc '"%.4f\n", 100 * a / b' "$(cpu "$PTXOPT" "$file" -o "$scratch/out.ptx")" "$theirs" >>"$scratch/small"
  done
  [ -s "$scratch/small" ] || return 0
  say
  summary 'The small ones of tests/pipeline and tests/isa' <"$scratch/small"
}

# ---- kernels of others, but not those that are so short that their cost is that of the start ----

# spread FILE FORMAT: prints for lines "figure name" the median, the worst figure and its name, as columns.
spread() {
  sort -g "$1" | awk -v format="$2" '{ figure[NR] = $1; name[NR] = $2 } END {
    if (NR) printf "| " format " | " format " | `%s` |\n", figure[int((NR + 1) / 2)], figure[NR], name[NR] }'
}

other_kernels() {
  local file bytes own theirs figures
  [ -n "${BENCH_KERNELS:-}" ] || return 0
  # shellcheck disable=SC2086 # folders are words
  find $BENCH_KERNELS -name '*.ptx' -type f -size +16 -size -4M | sort >"$scratch/others"
  while IFS= read -r file; do
    grep -qE 'tcgen05|\.proxy' "$file" || continue # otherwise the text is copied unread
    bytes=$(size "$file")
    figures=$(profile "$PTXOPT" "$file" -o "$scratch/out.ptx")
    [ -z "$figures" ] || calc '"%.2f ", a / b' "${figures##* }" "$bytes" >>"$scratch/a byte"
    [ -z "$figures" ] || name_of "$file" >>"$scratch/a byte"
    theirs=$(ptxas_ms "$file")
    [ -n "$theirs" ] || continue
    own=$(cpu "$PTXOPT" "$file" -o "$scratch/out.ptx")
    calc '"%.4f ", 100 * a / b' "$own" "$theirs" >>"$scratch/other shares"
    name_of "$file" >>"$scratch/other shares"
  done <"$scratch/others"
  say '| kernels of 8 KB to 4 MB | median | worst | that is |'
  say '|---|---|---|---|'
  if [ -s "$scratch/a byte" ]; then say "| instructions a byte $(spread "$scratch/a byte" '%.1f')"; fi
  if [ -s "$scratch/other shares" ]; then say "| of ptxas $(spread "$scratch/other shares" '%.2f %%')"; fi
}

# --max-registers: how often ptxas runs if most of the removals do not fit.
choosing() {
  local most=48
  command -v "$ptxas" >/dev/null || return 0
  printf '#!/bin/sh\necho >>"%s/runs"\nexec "%s" "$@"\n' "$scratch" "$(command -v "$ptxas")" >"$scratch/counted"
  chmod +x "$scratch/counted"
  : >"$scratch/runs"
  "$PTXOPT" --max-registers $most --ptxas "$scratch/counted" "$SRCDIR/examples/gemm-2cta/gemm-2cta.ptx" -o "$scratch/out.ptx"
  say "\`--max-registers $most\` on \`gemm-2cta\`: $(wc -l <"$scratch/runs") runs of ptxas."
}

# ---- many files in one process, and files that are only passed on ----

# of_ptxas MS: prints MS as a share of the time that ptxas takes for 100 kernels; nothing without ptxas.
of_ptxas() {
  [ -s "$scratch/theirs" ] || return 0
  awk -v ms="$1" '{ one[NR] = $1 } END { for (i = 0; i < 100; i++) all += one[i % NR + 1]; printf ", %.2f %% of ptxas", 100 * ms / all }' "$scratch/theirs"
}

many_files() {
  local n=0 file bytes ms
  mkdir "$scratch/many" "$scratch/out"
  while [ "$n" -lt 100 ]; do
    for file in "${kernels[@]}"; do
      if [ "$n" -lt 100 ]; then n=$((n + 1)); cp "$file" "$scratch/many/$n.ptx"; fi
    done
  done
  bytes=$(cat "$scratch/many"/*.ptx | wc -c) ms=$(cpu "$PTXOPT" -j 1 "$scratch/many" -o "$scratch/out/")
  say "| 100 kernels, one process | $(calc '"%.2f", a / 1e6' "$bytes") MB | $(calc '"%.0f", a' "$ms") ms$(of_ptxas "$ms") | $(calc '"%.1f", a / b / 1000' "$bytes" "$ms") MB/s |"
}

passed() {
  local bytes ms
  bytes=$(size "$scratch/unread.ptx")
  ms=$(rm -f "$scratch/new.ptx"; "$here/used" "$PTXOPT" "$scratch/unread.ptx" -o "$scratch/new.ptx" | cut -d ' ' -f 1)
  say "| passed on, file to new file | $(calc '"%.0f", a / 1e6' "$bytes") MB | $(calc '"%.0f", a' "$ms") ms | $(calc '"%.0f", a / b / 1000' "$bytes" "$ms") MB/s |"
  ms=$(cpu "$PTXOPT" "$scratch/unread.ptx" -o "$scratch/new.ptx")
  say "| passed on, file that has it already | | $(calc '"%.0f", a' "$ms") ms | $(calc '"%.0f", a / b / 1000' "$bytes" "$ms") MB/s |"
  ms=$(for _ in 1 2 3 4 5; do rm -f "$scratch/new.ptx"; "$here/used" "$PTXOPT" -o "$scratch/new.ptx" < <(cat "$scratch/unread.ptx"); done |
    cut -d ' ' -f 1 | sort -g | sed -n 3p)
  say "| passed on, pipe to new file | | $(calc '"%.0f", a' "$ms") ms | $(calc '"%.0f", a / b / 1000' "$bytes" "$ms") MB/s |"
  ms=$(rm -f "$scratch/new.ptx"; "$here/used" -o "$scratch/new.ptx" cat "$scratch/unread.ptx" | cut -d ' ' -f 1)
  say "| floor: cat to new file | | $(calc '"%.0f", a' "$ms") ms | $(calc '"%.0f", a / b / 1000' "$bytes" "$ms") MB/s |"
}

rates() {
  { say '| | size | processor time | rate |'; say '|---|---|---|---|'; many_files; passed; } | both
}

# ---- memory ----

# memory NAME FILE: prints a row.
memory() {
  local kb idle
  kb=$(runs=3 peak "$PTXOPT" "$2" -o "$scratch/new.ptx") idle=$(peak "$PTXOPT" --version)
  say "| $1 | $(calc '"%.1f", a * 1024 / 1e6' "$kb") MB | $(calc '"%.2f", (a > b ? a - b : 0) * 1024 / c' "$kb" "$idle" "$(size "$2")") |"
}

memories() {
  {
    say '| | largest resident set | times the text, less an idle run |'
    say '|---|---|---|'
    memory 'a kernel of 4 MB' "$scratch/attention of 4 MB.ptx"
    memory '100 MB passed on' "$scratch/unread.ptx"
  } | both
  [ -n "${BENCH_LARGE:-}" ] || return 0
  multiply "$attention" 100000000 >"$scratch/large.ptx"
  runs=1 memory 'a kernel of 100 MB' "$scratch/large.ptx"
  rm "$scratch/large.ptx"
}

# ---- start-up and floors ----

# row NAME BYTES COMMAND...
row() {
  local figures ms
  figures=$(profile "${@:3}") ms=$(cpu "${@:3}")
  say "| $1 | $(calc '"%.2f", a' "$ms") | ${figures##* } | $(if [ -n "$figures" ] && [ "$2" -gt 0 ]; then calc '"%.1f", a / b' "${figures##* }" "$2"; fi) |"
}

# wrapped NAME FILE: prints a row: ptxopt-ptxas with a ptxas that does nothing, minus the cost of that ptxas alone.
wrapped() {
  local with alone
  with=$(PTXOPT_REAL_PTXAS=/bin/true cpu "$BUILDDIR/ptxopt-ptxas" ptxas -arch=sm_100a "$2" -o "$scratch/cubin")
  alone=$(cpu /bin/true)
  say "| $1 | $(calc '"%.2f", a - b' "$with" "$alone") | | |"
}

floors() {
  local bytes
  bytes=$(size "$attention")
  say '| | ms | instructions | a byte |'
  say '|---|---|---|---|'
  row 'start: `ptxopt --version`' 0 "$PTXOPT" --version
  row 'start: a kernel of 355 bytes' 0 "$PTXOPT" "$SRCDIR/tests/cli/inputs/extra-wait.ptx" -o "$scratch/new.ptx"
  row 'start: `/bin/true`' 0 /bin/true
  row '`attention`: ptxopt' "$bytes" "$PTXOPT" "$attention" -o "$scratch/new.ptx"
  wrapped '`attention`: ptxopt-ptxas, over ptxas alone' "$attention"
  wrapped 'a kernel of 355 bytes: ptxopt-ptxas, over ptxas alone' "$SRCDIR/tests/cli/inputs/extra-wait.ptx"
  wrapped 'nothing for us: ptxopt-ptxas, over ptxas alone' "$SRCDIR/tests/cli/inputs/no-tcgen05.ptx"
  row 'floor: libtree-sitter alone' "$bytes" "$here/floors" tree "$attention"
  row 'floor: read, two lexical passes, write, rename' "$bytes" "$here/floors" lexical "$attention" "$scratch/new.ptx"
  row 'floor: read and memchr' "$bytes" "$here/floors" memchr "$attention"
  row 'floor: `cat`' "$bytes" cat "$attention"
}

# ---- the service ----

start_service() {
  local port
  "$BUILDDIR/ptxoptd" --listen 127.0.0.1:0 --workers 2 --cache-bytes 0 2>"$scratch/log" &
  service=$!
  for _ in $(seq 100); do
    port=$(sed -n 's/.*"listening","message":"[^"]*:\([0-9]*\)".*/\1/p' "$scratch/log")
    [ -z "$port" ] || break
    sleep 0.05
  done
  echo "$port" >"$scratch/port"
}

# The processor time of the service in ms, of all threads.
service_ms() { awk -v ticks="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000 / ticks }' "/proc/$service/stat"; }

# served NAME FILE: prints a row: raw texts, nothing cached, four connections; compared with two threads without a service.
served() {
  local own got before after
  own=$("$BUILDDIR/tests/http/inprocess" "$2" 2 3) before=$(service_ms)
  got=$("$here/client" "$(cat "$scratch/port")" "$2" 4 3) after=$(service_ms)
  echo "$own $got $before $after" | awk -v name="$1" '{
    printf "| %s | %.0f | %.2f | %.0f | %.2f | %.0f %% |\n", name, $1, $2, $3, ($6 - $5) / $4, 100 * ($6 - $5) / $4 / $2 }'
}

services() {
  [ -x "$BUILDDIR/tests/http/inprocess" ] && [ -x "$BUILDDIR/ptxoptd" ] || return 0
  multiply "$SRCDIR/examples/gemm-1cta/gemm-1cta.ptx" 62000 >"$scratch/64 KB.ptx"
  multiply "$SRCDIR/examples/gemm-1cta/gemm-1cta.ptx" 1000000 >"$scratch/1 MB.ptx"
  start_service
  say '| kernel | in process, runs/s | ms of processor | served, requests/s | ms of processor | against in process |'
  say '|---|---|---|---|---|---|'
  served '64 KB' "$scratch/64 KB.ptx"
  served '1 MB' "$scratch/1 MB.ptx"
}

say "## Processor time of one process a file (*)"; say
one_file; small_ones; choosing
if [ -n "${BENCH_KERNELS:-}" ]; then say; say "## Other kernels"; say; other_kernels; fi
say >>"$readme"
say; say "## Rates (*)"; say
rates
say >>"$readme"
say; say "## Memory (*)"; say
memories
say; say "## Start and floors"; say
floors
say; say "## The service, raw and not cached"; say
services
if command -v "$ptxas" >/dev/null; then say; say "## What goes"; say; bash "$SRCDIR/tests/bench/examples-table.sh"; fi

# into FILE TEXT: replaces the text between the two marks of FILE by TEXT.
into() {
  awk -v text="$2" '
    /^<!-- make bench README=1 -->$/ { print; while ((getline line <text) > 0) print line; inside = 1 }
    /^<!-- to here -->$/ { inside = 0 }
    !inside && !/^<!-- make bench README=1 -->$/' "$1" >"$scratch/page"
  cp "$scratch/page" "$1"
}
if [ -n "${README:-}" ]; then
  into "$SRCDIR/doc/cost.md" "$readme"
  sed -n 's|^Of ptxas: \(.*\), \([0-9]* kernels\)\.$|Of the processor time of ptxas: \1, on the \2 of `examples/`.|p' \
    "$readme" >"$scratch/line"
  [ ! -s "$scratch/line" ] || into "$SRCDIR/README.md" "$scratch/line" # without ptxas the line is empty
fi
