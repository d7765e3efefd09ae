#!/usr/bin/env bash
# The list of formats (src/report/format.h): each format has the traits that the list gives; doc/review.md and
# examples/review name the formats of each trait. examples/review and the picture of the README must be the present
# output. report-consumers.sh tests the consumers of the reports; report/openapi.py writes the list into openapi.json.
set -u
. "$SRCDIR/tests/tap.sh"
"$BUILDDIR/docgen" formats >"$scratch/formats"
# with [TRAIT]: prints the formats that have it; without TRAIT all formats. The service gives the media types.
with() { awk -v trait="${1:-}" '{ for (i = 3; i <= NF; i++) has[$1, $i] } trait == "" || ($1, trait) in has { print $1 }' "$scratch/formats"; }

cd "$SRCDIR" || exit 1
while read -r format type _; do
  chosen "report/$format" || continue
  case $type in
    application/json) name=$format.json ;;
    application/x-ndjson) name=$format.jsonl ;;
    text/plain) name=$format.txt ;;
    text/markdown) name=$format.md ;;
    application/yaml) name=$format.yaml ;;
    *) name=kernel.$format ;;
  esac
  want=examples/review/$name
  "$PTXOPT" --check examples/generated-style/generated-style.ptx --report "$format=$scratch/report" 2>/dev/null
  [ -e "$want" ] || [ -z "${UPDATE:-}" ] || : >"$want"
  if same "$want" "$want" "$scratch/report"; then ok "$want"; else not_ok "$want"; fi
done <"$scratch/formats"

# ---- the traits ----

# report FORMAT OPTIONS: prints the report; other messages of ptxopt do not matter here.
report() { "$PTXOPT" -q --check --report "$1=-" "${@:2}" 2>/dev/null; }
# changes FORMAT OPTIONS -- OPTIONS: whether the two reports differ.
changes() {
  local format=$1 first=()
  shift
  while [ "$1" != -- ]; do first+=("$1"); shift; done
  shift
  report "$format" "${first[@]}" >"$scratch/first"
  report "$format" "$@" >"$scratch/second"
  ! cmp -s "$scratch/first" "$scratch/second"
}
inputs=tests/cli/inputs
shows_code() { report "$1" $inputs/extra-wait.ptx | grep -qF 'st.global.b32 [%rd1], %r2'; }
shows_edits_only() { ! report "$1" --lint $inputs/wrong-wait.ptx | grep -q waits-for-nothing; }
has_figures() { changes "$1" $inputs/inlined-wait.ptx -- --stats --ptxas $inputs/ptxas-by-rule $inputs/inlined-wait.ptx; }
takes_source() { changes "$1" $inputs/unrolled.ptx -- --locate=source $inputs/unrolled.ptx; }
has_paths_below() { ! changes "$1" $inputs/extra-wait.ptx -- ./$inputs/extra-wait.ptx; }
has_sass() { changes "$1" --stats $inputs/extra-wait.ptx -- --sass $inputs/extra-wait.ptx; }

# trait WORD FUNCTION: passes if the formats with that trait are those for which FUNCTION FORMAT is true.
trait() {
  with "$1" >"$scratch/want"
  for format in $(with); do if "$2" "$format"; then echo "$format"; fi; done >"$scratch/got"
  if same "formats with $1" "$scratch/want" "$scratch/got"; then ok "the formats with the trait $1 are those that do it"; else
    not_ok "the formats with the trait $1 are those that do it"
  fi
}
if chosen report/traits; then
  trait code shows_code
  trait edits-only shows_edits_only
  trait figures has_figures
  trait source takes_source
  trait paths-below has_paths_below
  if command -v ptxas >/dev/null; then trait sass has_sass; else skip "the formats with the trait sass are those that do it" "no ptxas here"; fi
fi

# named PAGE BEFORE AFTER TRAIT: passes if the page names, between these words (extended patterns), the formats with the trait.
named() {
  tr -s '\n' ' ' <"$1" | grep -oE "$2"'(`[a-z]+`(, | and )?)+'"$3" | sed -E "s/^$2//" | grep -oE '`[a-z]+`' | tr -d '`' >"$scratch/got"
  $4 >"$scratch/want"
  if same "$1" "$scratch/want" "$scratch/got"; then ok "$1 names the formats: $2…$3"; else not_ok "$1 names the formats: $2…$3"; fi
}
without_source() { with | grep -vxFf <(with source); }
if chosen report/README; then
  named doc/review.md '`--report FORMAT\[=FILE\]` may be repeated. The formats are ' '; each' with
  named doc/review.md 'All formats except ' ' contain' 'with edits-only'
  named doc/review.md '' ' show the code around' 'with code'
  named doc/review.md 'With `--stats` and ptxas on PATH, ' ' carry' 'with figures'
  named doc/review.md 'It is printed to standard error, or in ' '\.' 'with sass'
  named doc/review.md 'in all formats except ' ', and' without_source
  named doc/review.md 'Paths in ' ' are those' 'with paths-below'
  sed -n 's/^| \(`.*`\) | `.*` | .*/\1/p' examples/review/README.md | grep -oE '[a-z]+' >"$scratch/got"
  with >"$scratch/want"
  if same examples/review/README.md "$scratch/want" "$scratch/got"; then ok "examples/review has every format"; else not_ok "examples/review has every format"; fi
fi

# ---- the service's document ----

if chosen report/openapi; then
  if ! command -v python3 >/dev/null; then skip "server/openapi.json has the formats and their types" "no python3"; else
    python3 tests/report/openapi.py server/openapi.json "$scratch/formats" >"$scratch/openapi.json"
    if same server/openapi.json server/openapi.json "$scratch/openapi.json"; then
      ok "server/openapi.json has the formats and their types"
    else
      not_ok "server/openapi.json has the formats and their types"
    fi
  fi
fi

# ---- the README's picture ----

# The picture of the README is what the tool draws now.
if chosen report/svg; then
  "$PTXOPT" --check examples/gemm-1cta/gemm-1cta.ptx --report "svg=$scratch/report" 2>/dev/null
  if same doc/epilogue.svg doc/epilogue.svg "$scratch/report"; then ok "doc/epilogue.svg"; else not_ok "doc/epilogue.svg"; fi
fi
finish
