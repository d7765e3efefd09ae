#!/usr/bin/env bash
# Builds the fuzz targets with clang and runs each for its share of FUZZ_SECONDS (600) seconds, from the seeds and
# the cases of the tree, on texts of up to FUZZ_MAX_LEN bytes (1,000,000). Inputs that fail are in
# FOLDER/TARGET-crash-…. Minimize them (FOLDER/fuzz_TARGET -minimize_crash=1 …) and keep them in
# tests/fuzz/regressions/TARGET/.
#
# run.sh FOLDER [TARGET…]; `make fuzz` sets the other variables. It uses CLANG, not the CC of the build.
set -eu
folder=$1
shift
[ "$#" -gt 0 ] || set -- engine verify parse
clang=${CLANG:-clang}
command -v "$clang" >/dev/null || { echo "fuzzing needs clang (CLANG=...)"; exit 1; }
seconds=$((${FUZZ_SECONDS:-600} / $#))
flags=(-std=c11 -g -O1 -fno-omit-frame-pointer -include config.h -I"$BUILDDIR" -I"$SRCDIR" -I"$SRCDIR/src" -I"$SRCDIR/tests")
sanitizers=address,undefined
mkdir -p "$folder/objects"

newest=$(find "$SRCDIR/src" -name '*.h' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-) # the header changed last
compile() { # compile SOURCE OBJECT FLAG...
  [ "$2" -nt "$1" ] && [ "$2" -nt "$newest" ] || "$clang" "${flags[@]}" "${@:3}" -c "$1" -o "$2"
}
# The parser is a table and two large functions: it is built for coverage, which guides the fuzzer, but without checks.
compile "$SRCDIR/tree-sitter-ptx/src/parser.c" "$folder/objects/parser.o" -w -I"$SRCDIR/tree-sitter-ptx/src"
objects=("$folder/objects/parser.o")
while IFS= read -r source; do
  object=$folder/objects/$(echo "${source#"$SRCDIR"/}" | tr / -).o
  compile "$source" "$object" "-fsanitize=fuzzer-no-link,$sanitizers" -fno-sanitize-recover=all
  objects+=("$object")
done < <(find "$SRCDIR"/src/{base,text,syntax,ptx,flow,order,rules,check,engine,api} -name '*.c' \
  ! -name verify.c ! -name known_shapes_print.c | sort)

status=0
for target; do
  "$clang" "${flags[@]}" -DTARGET="fuzz_$target" "-fsanitize=fuzzer,$sanitizers" -fno-sanitize-recover=all \
    -o "$folder/fuzz_$target" "$SRCDIR"/tests/fuzz/{entry,mutate,text,"$target"}.c "$SRCDIR"/tests/routes/same_view.c "${objects[@]}" $FUZZ_LIBS
done
for target; do
  mkdir -p "$folder/corpus-$target"
  cases=()
  bash "$SRCDIR/tests/fuzz/unpack.sh" "$SRCDIR/tests/fuzz/seeds/$target.seeds" "$folder/seeds-$target"
  for cases_of in "$folder/seeds-$target" "$SRCDIR/tests/fuzz/regressions/$target" "$EXPANDED"/{rules/*,never,mutants/cases,isa,pipeline}/*; do
    [ ! -d "$cases_of" ] || cases+=("$cases_of")
  done
  echo "== $target: $seconds s"
  "$folder/fuzz_$target" -dict="$SRCDIR/tests/fuzz/ptx.dict" -max_total_time="$seconds" \
    -max_len="${FUZZ_MAX_LEN:-1000000}" -len_control=0 -timeout=60 -rss_limit_mb=3000 -close_fd_mask=1 -print_final_stats=1 ${FUZZ_OPTIONS:-} \
    -artifact_prefix="$folder/$target-" "$folder/corpus-$target" "${cases[@]}" 2>"$folder/$target.log" || status=1
  tail -n 200 "$folder/$target.log" | grep -E '^#|^stat::|does not hold|ERROR|SUMMARY' | tail -n 12
done
exit $status
