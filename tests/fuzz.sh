#!/usr/bin/env bash
# Checks the fuzz targets on the kept inputs: the seeds of each, inputs that failed in the past (one in each line),
# and the cases of the tree. `make fuzz` searches for more; see fuzz/README.md.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1

# replay TARGET FOLDER...: prints one result for all files of the folders.
replay() {
  local target=$1
  shift
  find "$@" -type f ! -name '*.err' -print0 2>/dev/null | sort -z |
    xargs -0 -r "$BUILDDIR/tests/fuzz/replay" "$target" >"$scratch/results" 2>&1
}

for target in parse engine verify; do
  for what in seeds cases; do
    folders=("$scratch/seeds-$target")
    [ $what = cases ] || bash tests/fuzz/unpack.sh "tests/fuzz/seeds/$target.seeds" "$scratch/seeds-$target"
    [ $what = seeds ] || folders=("$EXPANDED"/{rules,isa,never,pipeline,mutants} tests/bad)
    name="$target holds for its seeds"
    [ $what = seeds ] || name="$target holds for the cases of the tree"
    replay "$target" "${folders[@]}"
    if ! grep -q '^ok' "$scratch/results"; then echo "# nothing ran" >>"$scratch/results"; fi
    if grep -qv '^ok' "$scratch/results"; then
      grep -v '^ok' "$scratch/results" | sed 's/^# //' | comment -
      not_ok "$name"
    else
      ok "$name"
    fi
  done
  replay "$target" "tests/fuzz/regressions/$target"
  while IFS= read -r line; do
    case $line in
      'ok - '*) ok "${line#ok - }" ;;
      'not ok - '*) not_ok "${line#not ok - }" ;;
      *) echo "# ${line#\# }" ;;
    esac
  done <"$scratch/results"
done
finish
