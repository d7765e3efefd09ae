#!/usr/bin/env bash
# Requests a second of ptxoptd with 64 KB and 1 MB kernels, cached and not, raw and JSON, against
# the same work in one process. SECONDS_EACH=10 a figure.
set -euo pipefail
command -v wrk >/dev/null || { echo "bench-http: no wrk here"; exit 0; }
each=${SECONDS_EACH:-10} workers=$(nproc)
folder=$(mktemp -d)
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

# grow NAME BYTES: examples one after another, up to about BYTES.
grow() {
  : >"$folder/$1.ptx"
  while [ "$(stat -c %s "$folder/$1.ptx")" -lt "$2" ]; do
    cat "$SRCDIR/examples/gemm-1cta/gemm-1cta.ptx" >>"$folder/$1.ptx"
  done
  python3 -c 'import json,sys; json.dump({"source": sys.stdin.read()}, sys.stdout)' \
    <"$folder/$1.ptx" >"$folder/$1.json"
}

# measure WHAT FILE TYPE
measure() {
  local figures
  figures=$(BODY=$2 TYPE=$3 wrk -t 1 -c "$workers" -d "$each" -s "$SRCDIR/tests/http/post.lua" "$url/v1/optimize" |
    sed -n 's/^FIGURES //p')
  # shellcheck disable=SC2086
  set -- "$1" $figures
  printf '| %s | %s | %s | %s | %s |\n' "$1" "$2" "$3" "$4" "$5"
}

echo '| what | requests/s | p50 ms | p99 ms | errors |'
echo '|---|---|---|---|---|'
grow 64K 62000
grow 1M 1000000
for size in 64K 1M; do
  rate=$("$BUILDDIR/tests/http/inprocess" "$folder/$size.ptx" "$workers" "$each")
  echo "| $size in process, $workers threads | $rate | | | |"
  start --cache-bytes 0
  measure "$size raw, not cached" "$folder/$size.ptx" text/x-ptx
  measure "$size JSON, not cached" "$folder/$size.json" application/json
  stop
  start
  measure "$size raw, cached" "$folder/$size.ptx" text/x-ptx
  measure "$size JSON, cached" "$folder/$size.json" application/json
  stop
done
