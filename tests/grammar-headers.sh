#!/usr/bin/env bash
# Every inline asm of CUDA's cuda/ptx headers parses, as a fragment: NVIDIA's text for each instruction since sm_90.
# CUDA_HOME names the toolkit; otherwise it is that of nvcc or ptxas.
set -u
. "$SRCDIR/tests/tap.sh"

tool=$(command -v nvcc || command -v ptxas || true)
home=${CUDA_HOME:-}
[ -n "$home" ] || [ -z "$tool" ] || home=$(dirname "$(dirname "$(readlink -f "$tool")")")
[ -n "$home" ] || skip_all "no CUDA toolkit here"
headers=
for folder in "$home"/include "$home"/include/cccl "$home"/targets/*/include/cccl; do
  [ ! -d "$folder/cuda/__ptx/instructions/generated" ] || headers=$folder/cuda/__ptx/instructions/generated
done
[ -n "$headers" ] || skip_all "no cuda/ptx headers in the CUDA toolkit"

# Prints the strings of an asm statement up to its first colon, as the compiler reads them: %%r is %r, \n is a
# line end. One text for each header.
for header in "$headers"/*.h; do
  name=$(basename "$header" .h)
  awk '
    # Adds the strings of the line; true if something other than a string ends the template.
    function take(line,   body) {
      while (line != "") {
        sub(/^[ \t]+/, "", line)
        if (substr(line, 1, 1) == ":" || substr(line, 1, 1) == ")") return 1
        if (!match(line, /^"([^"\\]|\\.)*"/)) return line ~ /^[^"]/
        body = substr(line, 2, RLENGTH - 2); line = substr(line, RLENGTH + 1)
        gsub(/\\n/, "\n", body); gsub(/\\t/, "\t", body); gsub(/%%/, "%", body)
        text = text body
      }
      return 0
    }
    !inside && /(^|[ \t])asm( volatile)?[ \t]*\(/ { inside = 1; text = ""; sub(/.*asm( volatile)?[ \t]*\(/, "") }
    inside && take($0) { print text; inside = 0 }' "$header" >"$scratch/$name.ptx"
  statements=$(grep -c ';' "$scratch/$name.ptx")
  [ "$statements" -gt 0 ] || continue
  verdict=$("$BUILDDIR/tests/grammar/parse" "$scratch/$name.ptx" | cut -f 2)
  [ "$verdict" = ok ] || echo "# $verdict"
  if [ "$verdict" = ok ]; then ok "the asm of cuda/ptx's $name parses, lines with statements: $statements"
  else not_ok "the asm of cuda/ptx's $name parses, lines with statements: $statements"; fi
done
finish
