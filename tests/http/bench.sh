#!/usr/bin/env bash
# Requests per second of ptxoptd with 64 KB and 1 MB kernels, cached and not, raw and JSON, compared
# with the same work in one process. ROUNDS=7, SECONDS_EACH=3 for each figure, CONNECTIONS=4 (two for
# each worker); VERBOSE=1 shows each round.
#
# Machines are noisy, so raw work without a cache is measured in short rounds, alternately in one process
# and by the service, and the median of the rounds' ratios counts. Exit status 1 if that rate is below 85 %
# AND a request takes more than 115 % of the processor time: other load on the machine spoils only one of
# the two figures, a slow service both.
set -euo pipefail
command -v wrk >/dev/null || { echo "bench-http: no wrk here"; exit 0; }
command -v curl >/dev/null || { echo "bench-http: no curl here"; exit 0; }
rounds=${ROUNDS:-7} each=${SECONDS_EACH:-3} workers=$(nproc)
# While an answer and the next text are being sent, each worker has another text to work on.
connections=${CONNECTIONS:-$((2 * workers))}
ticks=$(getconf CLK_TCK)
folder=$(mktemp -d)
chmod 755 "$folder" # nginx's workers read it, too
service=
trap '[ -z "$service" ] || kill "$service" 2>/dev/null; rm -rf "$folder"' EXIT

# start OPTION...: sets service and url.
start() {
  "$BUILDDIR/ptxoptd" --listen 127.0.0.1:0 --workers "$workers" "$@" 2>"$folder/log" &
  service=$!
  for _ in $(seq 100); do
    url=http://$(sed -n 's/.*"listening","message":"\([^"]*\)".*/\1/p' "$folder/log")
    [ "$url" = http:// ] || return 0
    sleep 0.05
  done
  echo "bench-http: ptxoptd did not start"; exit 1
}

stop() { kill "$service"; wait "$service" || true; service=; }

# grow NAME BYTES: concatenates examples, up to about BYTES.
grow() {
  : >"$folder/$1.ptx"
  while [ "$(stat -c %s "$folder/$1.ptx")" -lt "$2" ]; do
    cat "$SRCDIR/examples/gemm-1cta/gemm-1cta.ptx" >>"$folder/$1.ptx"
  done
  python3 -c 'import json,sys; json.dump({"source": sys.stdin.read()}, sys.stdout)' \
    <"$folder/$1.ptx" >"$folder/$1.json"
}

# load FILE TYPE: prints "requests/s p50 p99 errors", as the client measures them.
load() {
  BODY=$1 TYPE=$2 wrk -t 1 -c "$connections" -d "$each" -s "$SRCDIR/tests/http/post.lua" "$url/v1/optimize" |
    sed -n 's/^FIGURES //p'
}

# The service's processor time in ms, user and system of all threads.
used() { awk -v ticks="$ticks" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000 / ticks }' "/proc/$service/stat"; }

# Prints the number of requests worked on, and of those that are not complete.
counts() {
  curl -s "$url/metrics" | awk '
    /^ptxopt_requests_total\{route="\/v1\/optimize"/ { done += $2 }
    /^ptxopt_(requests_in_work|queue_length) / { open += $2 }
    END { print done + 0, open + 0 }'
}

# served FILE: one measurement, as a line "rate ms-of-processor-per-request p50 p99 errors". The figures include the time
# until the service is idle again, so requests that were active when the client ended are counted as in a single
# process, where each thread finishes its run.
served() {
  local begin begin_used before after open client
  read -r before open <<<"$(counts)"
  begin_used=$(used) begin=$EPOCHREALTIME
  client=$(load "$1" text/x-ptx)
  while read -r after open <<<"$(counts)" && [ "$open" != 0 ]; do sleep 0.005; done
  echo "$begin $EPOCHREALTIME $begin_used $(used) $before $after $client" |
    awk '{ n = $6 - $5; print n / ($2 - $1), ($4 - $3) / n, $8, $9, $10 }'
}

# used_by PID: like used, for a process and its children.
used_by() {
  local one
  for one in "$1" $(pgrep -P "$1"); do
    awk -v ticks="$ticks" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000 / ticks }' "/proc/$one/stat"
  done | awk '{ n += $1 } END { print n + 0 }'
}

# fetched PID URL: ms of processor time that the server takes for a GET.
fetched() {
  local before count
  before=$(used_by "$1")
  if ! curl -sf -o "$folder/again" "$2" || ! cmp -s "$folder/again" "$folder/warm"; then
    echo "no answer, so no"
    return
  fi
  count=$(wrk -t 1 -c "$connections" -d "$each" "$2" | sed -n 's/^ *\([0-9]*\) requests in.*/\1/p')
  echo "$before $(used_by "$1") $count" | awk '{ printf "%.2f", ($2 - $1) / $3 }'
}

# beside_nginx SIZE: the cost of a GET of the cached answer, and of a GET of the same bytes as a file of nginx.
beside_nginx() {
  local where program nginx
  where=$(sed -n 's/^[Cc]ontent-[Ll]ocation: \(.*\)\r/\1/p' "$folder/head")
  printf '%s by GET, cached: %s ms of processor time a request\n' "$1" "$(fetched "$service" "$url$where")"
  program=$(PATH=$PATH:/usr/sbin command -v nginx) || return 0
  printf '%s\n' "daemon off; worker_processes $workers; pid $folder/pid; error_log $folder/error; events {}" \
    "http { access_log off; server { listen 127.0.0.1:8391; root $folder; } }" >"$folder/nginx.conf"
  "$program" -c "$folder/nginx.conf" 2>/dev/null &
  nginx=$!
  sleep 1
  printf '%s as a file of nginx: %s ms of processor time a request\n' "$1" "$(fetched "$nginx" http://127.0.0.1:8391/warm)"
  kill "$nginx"
  wait "$nginx" || true
}

# median COLUMN FILE
median() {
  awk -v column="$1" '{ print $column }' "$2" | sort -g |
    awk '{ a[NR] = $1 } END { printf "%.1f\n", (a[int((NR + 1) / 2)] + a[int(NR / 2) + 1]) / 2 }'
}

row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

# against SIZE: runs the rounds. A line of $folder/SIZE has "rate cpu" of the process, the five figures of the
# service, and the two ratios.
against() {
  local own got round
  : >"$folder/$1"
  start --cache-bytes 0
  for round in $(seq "$rounds"); do
    own=$("$BUILDDIR/tests/http/inprocess" "$folder/$1.ptx" "$workers" "$each")
    got=$(served "$folder/$1.ptx")
    echo "$own $got" | awk '{ print $0, 100 * $3 / $1, 100 * $4 / $2 }' >>"$folder/$1"
    [ -z "${VERBOSE:-}" ] || echo "round $round: $(tail -n 1 "$folder/$1")"
  done
  row "$1 in process, $workers threads" "$(median 1 "$folder/$1")" "" "" ""
  row "$1 raw, not cached" "$(median 3 "$folder/$1")" "$(median 5 "$folder/$1")" "$(median 6 "$folder/$1")" \
    "$(awk '{ n += $7 } END { print n }' "$folder/$1")"
  # shellcheck disable=SC2046
  row "$1 JSON, not cached" $(load "$folder/$1.json" application/json)
  stop
}

grow 64K 62000
grow 1M 1000000
echo "$workers workers, $connections connections; $rounds rounds of $each s"
echo '| what | requests/s | p50 ms | p99 ms | errors |'
echo '|---|---|---|---|---|'
for size in 64K 1M; do
  against $size
  start
  curl -sf -o "$folder/warm" -D "$folder/head" -H 'Content-Type: text/x-ptx' --data-binary "@$folder/$size.ptx" "$url/v1/optimize"
  read -r rate time p50 p99 errors <<<"$(served "$folder/$size.ptx")"
  row "$size raw, cached" "$rate" "$p50" "$p99" "$errors"
  cached="${cached:-}$size raw, cached: $time ms of processor time a request"$'\n'
  cached+=$(beside_nginx "$size")$'\n'
  # shellcheck disable=SC2046
  row "$size JSON, cached" $(load "$folder/$size.json" application/json)
  stop
done
printf '%s' "$cached"
status=0
for size in 64K 1M; do
  rate=$(median 8 "$folder/$size") time=$(median 9 "$folder/$size")
  printf '%s raw, not cached, against in process: %.0f %% of the rate, %.0f %% of the processor time\n' \
    "$size" "$rate" "$time"
  awk -v rate="$rate" -v time="$time" 'BEGIN { exit rate < 85 && time > 115 }' || status=1
done
exit $status
