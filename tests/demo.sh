#!/usr/bin/env bash
# The output of `./bootstrap demo` after its build (examples/demo.sh), with the six lines of the build, fits on a screen of
# 40 lines. It has the result, the removed line, an argument, the machine code of ptxas, and the next command.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1

# shows NAME PATTERN...: passes if the output has a line with each pattern, at most 34 lines, and at most 80 columns. The
# folder of this test has a longer name than that of a user.
shows() {
  local pattern lacks=
  sed "s|$scratch/|/tmp/|g" "$scratch/demo" >"$scratch/screen"
  for pattern in "${@:2}"; do grep -q -- "$pattern" "$scratch/screen" || lacks+=" '$pattern'"; done
  if [ -z "$lacks" ]; then ok "$1: has each part"; else
    echo "# lacks$lacks"
    comment "$scratch/screen"
    not_ok "$1: has each part"
  fi
  if awk 'length > 80 { bad = 1; print "# too wide: " $0 } END { if (NR > 34) print "# lines: " NR; exit bad || NR > 34 }' "$scratch/screen"; then
    ok "$1: fits on the screen"
  else
    not_ok "$1: fits on the screen"
  fi
}

# demo PATH
demo() { PATH=$1 TMPDIR=$scratch bash examples/demo.sh >"$scratch/demo" 2>&1 || echo "status $?" >>"$scratch/demo"; }
parts=('15 of 18' '^-.tcgen05.wait::ld' '\[wait-covered' '^./ptxopt --explain wait-covered ')

if command -v ptxas >/dev/null; then
  demo "$PATH"
  shows "with ptxas" "${parts[@]}" 'instructions 531 -> '
else
  skip "with ptxas" "no ptxas here"
fi

# A folder with all programs of PATH except ptxas.
mkdir "$scratch/bin"
for program in bash awk cat diff dirname fold grep mktemp sed; do ln -s "$(command -v $program)" "$scratch/bin"; done
demo "$scratch/bin"
shows "without ptxas" "${parts[@]}" 'machine code  not measured: ptxas'

if sed -n '/^demo() {/,/^}/p' bootstrap | grep -q 'bash examples/demo\.sh$'; then ok "bootstrap demo runs examples/demo.sh"; else
  not_ok "bootstrap demo runs examples/demo.sh"
fi
finish
