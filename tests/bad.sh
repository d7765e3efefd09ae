#!/usr/bin/env bash
# Malformed input: by the whole parse tests/bad/NAME.ptx must be refused with exit status 2 and exactly NAME.err on
# standard error, and no output file is made. Run from that folder, so that messages name the file
# alone.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR/tests/bad" 2>/dev/null || skip_all "no cases here"

refuses() {
  local good=0 status=0
  rm -f "$scratch/out.ptx"
  timeout 60 "$PTXOPT" -O tcgen05 --parse=full "$1" -o "$scratch/out.ptx" >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
  if [ "$status" != 2 ]; then echo "# exit status $status, not 2"; good=1; fi
  if [ -e "$scratch/out.ptx" ]; then echo "# an output file was made"; good=1; fi
  if [ -s "$scratch/stdout" ]; then echo "# standard output is not empty"; good=1; fi
  if [ ! -e "${1%.ptx}.err" ]; then
    [ -z "${UPDATE:-}" ] || cp "$scratch/stderr" "${1%.ptx}.err"
    echo "# ${1%.ptx}.err is not there"
    return 1
  fi
  same stderr "${1%.ptx}.err" "$scratch/stderr" || good=1
  return $good
}

for file in *.ptx; do
  [ -e "$file" ] && chosen "bad/${file%.ptx}" || continue
  if refuses "$file"; then ok "${file%.ptx}"; else not_ok "${file%.ptx}"; fi
done
finish
