#!/usr/bin/env bash
# The examples of doc/model.md: each ptx block, made into a kernel, loses the statements marked
# `// removed: RULE` by that rule and keeps those marked `// kept: REASON` for that reason. Every wait and
# fence in a block is marked. A first line `// options: …` is for ptxopt, `// callee: …` a function that the
# kernel calls.
set -u
# shellcheck source=tests/tap.sh
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1

# Each block becomes $scratch/LINE.ptx, LINE being that of its fence of ```.
awk -v folder="$scratch" '
  /^```ptx$/ { file = folder "/" FNR ".ptx"; next }
  /^```$/ && file != "" { print "ret;\n}" >file; close(file); file = ""; next }
  file == "" { next }
  /^\/\/ options: / && !(file in begun) { print >file; begun[file] = "-"; next }
  sub("^// callee: ", "") { callees = callees $0 "\n"; next }
  begun[file] < 1 {
    begun[file] = 1
    print ".version 8.8\n.target sm_100a\n.address_size 64" >file
    print callees ".visible .entry k()\n{" >file
    callees = ""
    print ".reg .pred p, done;\n.reg .b64 a, b, a1, b1, s, flag, state;" >file
    print ".reg .b32 d, d1, t, u, v, w, x, idesc, bar, bar1, sa, phase;" >file
  }
  { print >file }' doc/model.md

# holds FILE: true if ptxopt does what the marks say, and nothing else.
holds() {
  local options
  read -r -a options <<<"$(sed -n '1s|^// options: ||p' "$1")"
  "$PTXOPT" "${options[@]}" "$1" -o "$scratch/out" 2>"$scratch/wrong" &&
    "$PTXOPT" "${options[@]}" "$1" --dump=plan -o "$scratch/plan" 2>"$scratch/wrong" || return 1
  sed 's|^.*/[0-9]*\.ptx:\([0-9]*\):|\1|' "$scratch/plan" | awk '
    FILENAME == "-" { said[$1] = said[$1] ($3 == "removes" ? " removed: " $2 : " kept: " $4) " "; next }
    FILENAME == ARGV[2] { after[FNR] = $0; next }
    {
      want = "nothing"
      if (match($0, /\/\/ (removed|kept): .*/)) want = substr($0, RSTART + 3)
      else if (/tcgen05\.(wait|fence)|fence\.proxy/) want = "a mark"
      if (want != "nothing" && !index(said[FNR], " " want " ")) {
        print "# " $0 " got:" said[FNR]; bad = 1
      }
      if ((want ~ /^removed/) == ($1 == substr(after[FNR], 1, length($1)))) { print "# " $0; bad = 1 }
    }
    END { exit bad }' - "$scratch/out" "$1" >"$scratch/wrong"
}

for block in $(find "$scratch" -name '*.ptx' -printf '%f\n' | sort -n); do
  name="doc/model.md:${block%.ptx}"
  if holds "$scratch/$block"; then ok "$name"; else
    comment "$scratch/wrong"
    not_ok "$name"
  fi
done
finish
