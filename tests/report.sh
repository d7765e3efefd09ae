#!/usr/bin/env bash
# examples/review must be what the formats give now, and the README's picture what the tool draws. Those who consume the
# reports are in report-consumers.sh.
set -u
. "$SRCDIR/tests/tap.sh"
formats='json ndjson sarif rdjson rdjsonl gitlab github markdown remarks html svg'

cd "$SRCDIR" || exit 1
for format in text diff $formats; do
  chosen "report/$format" || continue
  case $format in
    json | rdjson | gitlab) name=$format.json ;;
    ndjson | rdjsonl) name=$format.jsonl ;;
    text | github) name=$format.txt ;;
    markdown) name=markdown.md ;;
    remarks) name=remarks.yaml ;;
    *) name=kernel.$format ;;
  esac
  want=examples/review/$name
  "$PTXOPT" --check examples/generated-style/generated-style.ptx --report "$format=$scratch/report" 2>/dev/null
  [ -e "$want" ] || [ -z "${UPDATE:-}" ] || : >"$want"
  if same "$want" "$want" "$scratch/report"; then ok "$want"; else not_ok "$want"; fi
done

# The README's picture is what the tool draws now.
if chosen report/svg; then
  "$PTXOPT" --check examples/gemm-1cta/gemm-1cta.ptx --report "svg=$scratch/report" 2>/dev/null
  if same doc/epilogue.svg doc/epilogue.svg "$scratch/report"; then ok "doc/epilogue.svg"; else not_ok "doc/epilogue.svg"; fi
fi
finish
