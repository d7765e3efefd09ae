#!/usr/bin/env bash
# ptxopt reads texts by the shapes of their statements, and by the tree of the whole text if shapes cannot decide
# (src/syntax). Both must give the same result (routes/routes.c), for each kernel, case and sample, and 100,000
# mutants of them.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1

list() {
  { whole_texts "$@"; find "$PTXOPT_SHARED" -name '*.ptx' -type f "$@" 2>/dev/null; } | sort
}

# judge WHAT MUTANTS FILE...: runs the program, and adds its last line to the name of the result.
judge() {
  if "$BUILDDIR/tests/routes/routes" "$2" "$scratch/differs.ptx" "${@:3}" >"$scratch/said" 2>&1; then
    ok "$1: $(tail -n 1 "$scratch/said")"
  else
    comment "$scratch/said"
    [ ! -e "$scratch/differs.ptx" ] || comment "$scratch/differs.ptx"
    not_ok "$1"
  fi
}

mapfile -t all < <(list -size -4M)
mapfile -t small < <(list -size -8k)
judge "every text" 0 "${all[@]}"
judge "mutants of small ones" $((100000 / ${#small[@]} + 1)) "${small[@]}"

"$BUILDDIR/known_shapes_print" <src/syntax/known_shapes.ptx >"$scratch/known_shapes.c"
if same "make known-shapes" src/syntax/known_shapes.c "$scratch/known_shapes.c"; then
  ok "the table of shapes is what the parser tells of them"
else
  not_ok "the table of shapes is what the parser tells of them"
fi
finish
