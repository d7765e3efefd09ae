#!/usr/bin/env bash
# Malformed input. With --parse=full, tests/bad/NAME.ptx must be refused with exit status 2 and exactly NAME.err on
# standard error, and no output file is made. It runs in that folder, so messages have only the name of the file.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR/tests/bad" 2>/dev/null || skip_all "no cases here"

refuses() {
  local good=0 status=0
  rm -f "$scratch/out.ptx"
  limited "$PTXOPT" -O tcgen05 --parse=full "$1" -o "$scratch/out.ptx" >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
  if [ "$status" != 2 ]; then echo "# exit status $status, not 2"; good=1; fi
  if [ -e "$scratch/out.ptx" ]; then echo "# an output file was made"; good=1; fi
  if [ -s "$scratch/stdout" ]; then echo "# standard output is not empty"; good=1; fi
  if [ ! -e "${1%.ptx}.err" ]; then
    if [ -n "${UPDATE:-}" ]; then cp "$scratch/stderr" "${1%.ptx}.err" && return $good; fi
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

# No message may use a name that only the grammar has.
if ! chosen bad/words; then :; elif ! command -v python3 >/dev/null; then skip "messages have words of PTX" "no python3 here"
elif python3 - "$SRCDIR" <<'END'
import json, pathlib, sys
root = pathlib.Path(sys.argv[1])
explain = (root / "src/syntax/explain.c").read_text()
names = [node["type"] for node in json.loads((root / "tree-sitter-ptx/src/node-types.json").read_text()) if node["named"]]
lacking = [name for name in names if f'{{"{name}",' not in explain]
if lacking:
    sys.exit(f"# src/syntax/explain.c has no words for {', '.join(lacking)}")
END
then ok "messages have words of PTX"; else not_ok "messages have words of PTX"; fi
finish
