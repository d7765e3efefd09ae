#!/usr/bin/env bash
# The checker's verdicts on rewrites. tests/check/NAME.ptx has kernels, with `// deleted` after each statement that
# the output lacks. In the first such mark of a kernel the verdict may follow: `// deleted: proven` or `// deleted: cannot
# tell`. If a kernel is refused, the line that the message names has `// deleted: refused`, or `// refused` if it is
# not removed, or `// deleted: refused with the whole rewrite`. A first line `// options: …` is for ptxopt-verify.
#
# tests/check/opcodes/instructions.txt has a line `CLASS INSTRUCTION` for each instruction. Every PROBE.ptx there is
# made into a kernel with the instruction in place of `X`, and must get the verdict that PROBE.verdict has for its
# class.
#
# The certificate of each proven file is checked, too.
set -u
. "$SRCDIR/tests/tap.sh"
verify=$BUILDDIR/ptxopt-verify
cd "$SRCDIR/tests/check" 2>/dev/null || skip_all "no cases here"

mark='// deleted(: proven|: cannot tell|: refused( with the whole rewrite)?)?'
refused=' // refused'

# expected FILE: prints for each kernel a line with its name and the expectation, "proven", "cannot-tell", "refused LINE".
expected() {
  awk '
    match($0, /\.(entry|func)[^A-Za-z]*[A-Za-z_0-9]+/) { name = substr($0, RSTART, RLENGTH); sub(/.*[^A-Za-z_0-9]/, "", name) }
    /\/\/ deleted: refused with the whole rewrite$/ { print "* refused " FNR; next }
    /\/\/ deleted: refused$/ || / \/\/ refused$/ { print name " refused " FNR }
    /\/\/ deleted: proven$/ { print name " proven" }
    /\/\/ deleted: cannot tell$/ { print name " cannot-tell" }' "$1"
}

# remark FILE VERDICTS: prints FILE with the marks of these verdicts.
remark() {
  sed -E "s@(// deleted): .*@\1@; s@$refused\$@@" "$1" | awk '
    FILENAME == ARGV[1] { said[$1] = $2; if ($2 == "refused") at[$3] = $1; next }
    match($0, /\.(entry|func)[^A-Za-z]*[A-Za-z_0-9]+/) { name = substr($0, RSTART, RLENGTH); sub(/.*[^A-Za-z_0-9]/, "", name); met = 0 }
    FNR in at { $0 = $0 (/\/\/ deleted$/ ? ": refused" (at[FNR] == "*" ? " with the whole rewrite" : "") : " // refused") }
    /\/\/ deleted$/ && !met++ && said[name] == "proven" { $0 = $0 ": proven" }
    /\/\/ deleted$/ && met == 1 && said[name] == "cannot-tell" { $0 = $0 ": cannot tell"; met++ }
    { print }' "$2" -
}

# Prints the verdicts on the marked text $1; each line begins with its name.
verdicts() {
  local options status=0
  options=$(sed -n '1s|^// options: ||p' "$1")
  sed -E "s@ *$mark\$|$refused\$@@" "$1" >"$scratch/before"
  sed -E "\@$mark\$@d; s@$refused\$@@" "$1" >"$scratch/after"
  # shellcheck disable=SC2086 # options are words
  limited "$verify" $options "$scratch/before" "$scratch/after" >"$scratch/said" 2>&1 || status=$?
  awk -v status="$status" '
    function rest(what) { sub("^[^:]*: " what ": ", ""); name = $1; sub(/:.*/, "", name); told++ }
    function line() { match($0, /line [0-9]+/); return substr($0, RSTART + 5, RLENGTH - 5) }
    FNR == NR {
      if (/^[^:]*: refused: line [0-9]+/) whole = "refused " line()
      else if (/^[^:]*: refused: /) { rest("refused"); said[name] = "refused " line() }
      else if (/^[^:]*: cannot tell: /) { rest("cannot tell"); said[name] = "cannot-tell" }
      else if (/^[^:]*: proven: /) told++
      next
    }
    match($0, /\.(entry|func)[^A-Za-z]*[A-Za-z_0-9]+/) {
      name = substr($0, RSTART, RLENGTH); sub(/.*[^A-Za-z_0-9]/, "", name); met = 0
    }
    /\/\/ deleted(:.*)?$/ && !met++ && !whole {
      print name, (status > 2 ? "crash" : name in said ? said[name] : told ? "proven" : "nothing")
    }
    END { if (whole) print "*", whole }' "$scratch/said" "$1"
}

# Prints a result line for each line of the expectations $2, named by $1; $3: the verdicts.
compare() {
  awk -v name="$1" '
    FILENAME == ARGV[1] { got[$1] = $2 ($3 == "" ? "" : " " $3); next }
    { want = $2 ($3 == "" ? "" : " " $3); known[$1] = 1
      if (got[$1] == want) print "ok " name ": " $1
      else { print "# want " want ", got " got[$1]; print "not ok " name ": " $1 } }
    END { for (k in got) if (!(k in known)) print "not ok " name ": " k " has an expectation" }' "$3" "$2" |
    sed 's/_/ /g'
}

# certified: whether the certificate proves the proven kernels of $scratch/before (verdicts in $scratch/got).
certified() {
  local words
  read -r -a words <<<"$(sed -n '1s|^// options: ||p' "$1")"
  awk 'FILENAME == ARGV[1] { proven[$1] = $2 == "proven"; next }
    match($0, /\.(entry|func)[^A-Za-z]*[A-Za-z_0-9]+/) {
      name = substr($0, RSTART, RLENGTH); sub(/.*[^A-Za-z_0-9]/, "", name)
    }
    !(/\/\/ deleted(:.*)?$/ && proven[name]) { sub(/ *\/\/ (deleted(:.*)?|refused)$/, ""); print }' \
    "$scratch/got" "$1" >"$scratch/thin"
  words+=("$scratch/before" "$scratch/thin")
  "$verify" --write-certificate "$scratch/proof" "${words[@]}" >"$scratch/said" &&
    "$verify" --certificate "$scratch/proof" "${words[@]}" >"$scratch/said"
}

results=$scratch/results
: >"$results"
for file in *.ptx; do
  [ -e "$file" ] && chosen "check/${file%.ptx}" || continue
  verdicts "$file" >"$scratch/got"
  expected "$file" >"$scratch/expected"
  if [ -n "${UPDATE:-}" ] && ! cmp -s <(sort "$scratch/expected") <(sort "$scratch/got"); then
    echo "# rewrote $file"
    remark "$file" "$scratch/got" >"$scratch/marked" && cat "$scratch/marked" >"$file"
    expected "$file" >"$scratch/expected"
  fi
  compare "${file%.ptx}" "$scratch/expected" "$scratch/got" >>"$results"
  if certified "$file"; then echo "ok ${file%.ptx}: what is proven has a certificate"; else
    comment "$scratch/said"
    echo "not ok ${file%.ptx}: what is proven has a certificate"
  fi >>"$results"
done

# make_probe TEMPLATE: prints its kernels k1, k2 …, one for each instruction.
make_probe() {
  awk 'FNR == NR { if (NF && !/^#/) { sub(/^[^ ]+ +/, ""); text[++n] = $0 }; next }
    /\.entry/ { start = FNR }
    { line[FNR] = $0 }
    END {
      for (l = 1; l < start; l++) print line[l]
      for (i = 1; i <= n; i++)
        for (l = start; l <= FNR; l++) {
          made = line[l] == "X" ? text[i] : line[l]
          sub(/\.entry probe/, ".entry k" i, made)
          print made
        }
    }' opcodes/instructions.txt "$1"
}

# Prints one result line for each instruction: ok if every probe has the verdict of its class.
opcodes() {
  for file in opcodes/*.ptx; do
    [ -e "$file" ] || continue
    make_probe "$file" >"$scratch/probe"
    verdicts "$scratch/probe" | sed "s|^|$(basename "$file" .ptx) |"
  done >"$scratch/got"
  for file in opcodes/*.verdict; do
    [ -e "$file" ] && sed "s|^|$(basename "$file" .verdict) |" "$file"
  done >"$scratch/wanted"
  awk '
    FILENAME == ARGV[1] { want[$2, $1] = $3; probes[$1] = 1; next }
    FILENAME == ARGV[2] { got[$2, $1] = $3; next }
    NF && !/^#/ {
      class = $1; k = "k" ++n; sub(/^[^ ]+ +/, ""); bad = 0
      if (want[class, "behind-a-wait"] == "") {
        print "# no class \"" class "\": expected one of those that opcodes/behind-a-wait.verdict has"
        print "not ok " class ": " $0
        next
      }
      for (p in probes)
        if (want[class, p] == "" || got[k, p] != want[class, p]) {
          print "# " p ": want " want[class, p] ", got " got[k, p]; bad = 1
        }
      print (bad ? "not ok " : "ok ") class ": " $0
    }' "$scratch/wanted" "$scratch/got" opcodes/instructions.txt
}
# unprobed: prints the opcodes of the ISA that may order or access memory and have no line in instructions.txt.
unprobed() {
  awk 'FNR == NR { if (NF && !/^#/) { split($2, parts, /[.;]/); probed[parts[1]] = 1; }; next }
    NF && !/^#/ && $2 != "register" { split($1, parts, "."); if (!(parts[1] in probed)) print parts[1] " (" $2 ")" }' \
    opcodes/instructions.txt ../isa/opcodes.txt
}

if chosen check/opcodes; then
  opcodes >>"$results"
  unprobed >"$scratch/unprobed"
  sed 's/^/# tests\/check\/opcodes\/instructions.txt has no line for /' "$scratch/unprobed" >>"$results"
  if [ -s "$scratch/unprobed" ]; then echo "not ok each opcode but those of register work has a line"; else
    echo "ok each opcode but those of register work has a line"
  fi >>"$results"
fi

while IFS= read -r line; do
  case $line in
    'ok '*) ok "${line#ok }" ;;
    'not ok '*) not_ok "${line#not ok }" ;;
    *) echo "$line" ;;
  esac
done <"$results"
finish
