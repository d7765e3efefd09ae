#!/usr/bin/env bash
# `ptxopt --parse=full` refuses what ptxas calls a syntax error, including texts that the grammar accepts, and
# nothing that ptxas accepts: the texts of tests/grammar/strict.tsv, and those of PTXOPT_SHARED/ptx-syntax if
# present. ptxas runs again if there is one since 13.0; PTXAS names it, PTXAS= skips it.
set -u
. "$SRCDIR/tests/tap.sh"

table=$SRCDIR/tests/grammar/strict.tsv oracle=$PTXOPT_SHARED/ptx-syntax
head='.version 9.0\n.target sm_100a\n.address_size 64\n'
body='.global .u32 g_;\n.visible .entry k(.param .u64 p){\n.reg .b32 %r<10>; .reg .b64 %rd<10>;
.reg .f32 %f<10>; .reg .pred %p<5>; .reg .b32 a,b,c,d;\n'

texts=() verdicts=()
while IFS=$'\t' read -r verdict place text; do
  case $verdict in '#'*) continue ;; esac
  file=$scratch/${#texts[@]}.ptx
  case $place in
    M) printf '%b' "$head$text\n" ;;
    *) printf '%b' "$head$body$text\nret;\n}\n" ;;
  esac >"$file"
  texts+=("$text") verdicts+=("$verdict")
done <"$table"

# verdict FILE: prints the result of --parse=full.
verdict() {
  local status=0
  limited "$PTXOPT" -q --parse=full "$1" -o /dev/null 2>"$scratch/stderr" || status=$?
  case $status in 0) echo accepted ;; 2) echo refused ;; *) echo "exit status $status" ;; esac
}

for i in "${!texts[@]}"; do
  got=$(verdict "$scratch/$i.ptx")
  what="$(tr '#' '_' <<<"${texts[i]}") is ${verdicts[i]}"
  if [ "$got" = "${verdicts[i]}" ]; then ok "$what"
  else
    comment "$scratch/stderr"
    not_ok "$what, not $got"
  fi
done

# ---- the results of ptxas ----

PTXAS=${PTXAS-ptxas}
command -v "${PTXAS:-none}" >/dev/null || PTXAS=
release=$("${PTXAS:-false}" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
if [ "${release:-0}" -ge 13 ]; then
  ask() {
    if "$PTXAS" -arch=sm_100a -c "$1" -o /dev/null >"$1.log" 2>&1; then echo accepted
    elif grep -qE 'Parsing error|Unexpected (non-ASCII|EOF)' "$1.log"; then echo refused
    else echo another
    fi >"$1.said"
  }
  export -f ask
  export PTXAS
  seq 0 $((${#texts[@]} - 1)) | sed "s|.*|$scratch/&.ptx|" | xargs -P "$(nproc)" -I FILE bash -c 'ask FILE'
  wrong=0
  for i in "${!texts[@]}"; do
    [ "$(cat "$scratch/$i.ptx.said")" != "${verdicts[i]}" ] || continue
    echo "# ptxas says of ${texts[i]}: $(cat "$scratch/$i.ptx.said")"
    wrong=$((wrong + 1))
  done
  if [ "$wrong" = 0 ]; then ok "ptxas says so of all, texts: ${#texts[@]}"
  else not_ok "ptxas says so of all, texts: ${#texts[@]}"; fi
else
  skip "ptxas says so of all, texts: ${#texts[@]}" "no ptxas since 13.0"
fi

# ---- the output of compilers ----

# A text that was written by hand for a simulator has prototypes that ptxas, too, calls syntax errors.
what="nothing of the examples and of what others published is refused"
find "$SRCDIR/examples" "$PTXOPT_SHARED/corpus" -name '*.ptx' ! -name '*register-calling-convention.ptx' 2>/dev/null |
  sort >"$scratch/files"
while IFS= read -r file; do
  [ "$(verdict "$file")" = accepted ] || { echo "# $file"; comment "$scratch/stderr"; }
done <"$scratch/files" >"$scratch/log"
cat "$scratch/log"
if [ -s "$scratch/log" ]; then not_ok "$what"
else ok "$what, texts: $(wc -l <"$scratch/files")"; fi

# ---- the oracle's ----

# Later versions of ptxas accept these, or the error is not one of syntax. For ptxopt a text is no PTX with .version 9 . 0,
# with a .version after a declaration, or without a .version (empty, or a comment).
newer=$'\t006.ptx\t007.ptx\t224.ptx\t548.ptx\t' ours=$'\t130.ptx\t134.ptx\t143.ptx\t144.ptx\t'
if [ -r "$oracle/index.tsv" ]; then
  while IFS=$'\t' read -r file said name _; do
    want=accepted
    case $said in SYN) want=refused ;; OK | SEM) ;; *) continue ;; esac
    case $newer in *$'\t'"$file"$'\t'*) want=accepted ;; esac
    case $ours in *$'\t'"$file"$'\t'*) want=refused ;; esac
    got=$(verdict "$oracle/$file")
    what="\"$(sed 's/^ *//; s/ *$//' <<<"$name" | tr '#' '_')\" ($file) is $want"
    if [ "$got" = "$want" ]; then ok "$what"
    else
      comment "$scratch/stderr"
      not_ok "$what, not $got"
    fi
  done <"$oracle/index.tsv"
else
  skip "the oracle's texts" "no ptx-syntax beside the tree"
fi
finish
