#!/usr/bin/env bash
# Reports, each read by its consumers: patch and git apply, JSON schemas (tests/report/), a YAML parser, a browser.
# The same inputs are written in every format: names and texts that need escaping, other line ends, nothing to
# report, more than a format may contain. One process of Python reads all of them (report/check.py). An instrumented
# build only writes them, since the consumers have read those of the plain build.
set -u
. "$SRCDIR/tests/tap.sh"
check=$SRCDIR/tests/report/check.py
# The first python3 on PATH need not be that of the system's packages.
python=$(command -v python3 || true)
for one in python3 /usr/bin/python3; do
  if "$one" -c 'import jsonschema' 2>/dev/null; then python=$one; break; fi
done
formats=$("$BUILDDIR/docgen" formats | cut -d ' ' -f 1)
below=$("$BUILDDIR/docgen" formats | sed -n 's/ .* paths-below.*//p')
# Separate parts below test text and diff.
formats=$(for format in $formats; do case $format in text | diff) continue ;; esac; if chosen "report/$format"; then echo "$format"; fi; done)

# ---- the inputs: each a folder with one file and, below want/, the output of ptxopt ----

# add NAME [FROM]: adds an input from a file (or standard input).
add() {
  local number
  number=$(printf '%02d' "$(find "$scratch" -maxdepth 1 -name 'in-*' | wc -l)")
  mkdir -p "$scratch/in-$number/want"
  cat -- "${2:--}" >"$scratch/in-$number/$1"
}

head_of() { printf '.version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry %s()\n{\n\t.reg .b32 %%r<4>;\n' "$1"; }
pair() { printf '\ttcgen05.ld.sync.aligned.32x32b.x1.b32 {%%r1}, [%%r2];\n\ttcgen05.wait::ld.sync.aligned;\n\ttcgen05.wait::ld.sync.aligned;%s\n' "${1:-}"; }

add 'plain.ptx' "$SRCDIR/examples/generated-style/generated-style.ptx"
add 'cuda lines.ptx' "$SRCDIR/examples/gemm-lineinfo/gemm-lineinfo.ptx"
# Its .file is a path relative to the folder in which the compiler ran; the header does not exist here.
mkdir -p "$scratch/in-01/gemm-lineinfo"
cp "$SRCDIR/examples/gemm-lineinfo/gemm-lineinfo.cu" "$scratch/in-01/gemm-lineinfo/"
sed 's/$/\r/' "$SRCDIR/examples/gemm-1cta/gemm-1cta.ptx" | add 'line ends.ptx'
{ head_of quote; pair; printf '\tret;\n}\n'; } | add "it's \"quoted\", 100% [new]: \`k\` <b>.ptx"
{ head_of word; printf '\t// größer ≠ 漢字 \xf0\x9f\x98\x80 | *x* <i> & ``` @all $x$ \xe2\x80\xae\n'
  pair ' /* ü */ tcgen05.wait::ld.sync.aligned; // "ß\"'; printf '\tret;\n}\n'; } | add 'größe-漢字.ptx'
{ head_of odd; printf '\t// \xff\xfe invalid \xc3( \x1b[31m\n'; pair; printf '\tret;\n}'; } | add 'no-end.ptx'
{ head_of lines; pair; printf '\ttcgen05.wait::ld\n\t\t.sync\n\t\t.aligned\n\t\t;\n\tret;\n}\n'; } | add 'several-lines.ptx'
{ head_of none; printf '\tret;\n}\n'; } | add 'nothing-to-do.ptx'
{ head_of twice; pair; printf '\tret;\n}\n.visible .entry twice()\n{\n\t.reg .b32 %%r<4>;\n'; pair | sed 's|%r1|%r3|'; printf '\tret;\n}\n'; } | add 'one-name-twice.ptx'
add 'empty.ptx' /dev/null
printf 'this is no PTX\n' | add 'bad.ptx'
# A hazard of lint that no rule changes: its "path" also has text that needs escaping.
{ head_of 'missing'; printf '\t.file 1 "größe <b> *x*.cu"\n\t.loc 1 7 3\n'
  pair ' // "ß\" <i> | `' | sed '/^$/d; s/wait::ld/wait::st/'; printf '\tret;\n}\n'; } | add 'lint <b>.ptx'
{ head_of many; for _ in $(seq 10000); do pair; done; printf '\tret;\n}\n'; } | add 'ten-thousand.ptx'

# ---- the formats ----

# consume WHAT FORMAT NAME: adds the report on NAME in the current folder, which is $scratch/report, to those to read.
consume() {
  local number=0
  [ ! -e "$scratch/reports" ] || number=$(wc -l <"$scratch/reports")
  mv "$scratch/report" "$scratch/report-$number"
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$2: $1" "$PWD" "$2" "$scratch/report-$number" "$3" "want/$3" >>"$scratch/reports"
}

arguments=()
for format in $formats; do arguments+=(--report "$format=report.$format"); done

# report WHERE NAME: writes each format, with findings at the line of the PTX or that of the CUDA source.
report() {
  local words
  words=$([ "$1" = ptx ] || echo ', at the CUDA line')
  # The output of ptxopt is the same for both.
  limited "$PTXOPT" --keep-going --lint --lint-level note --locate="$1" "$2" -o "want/$2" "${arguments[@]}" 2>/dev/null ||
    { not_ok "reports on $2 are written$words"; return; }
  for format in $formats; do
    mv "report.$format" "$scratch/report"
    consume "$2$words" "$format" "$2"
  done
}

for folder in "$scratch"/in-*; do
  cd "$folder" || exit 1
  name=$(find . -maxdepth 1 -type f -printf '%P\n')
  report ptx "$name"
  if grep -q '\.loc' "$name"; then report source "$name"; fi
done

# ---- with the machine code of each edit ----

for format in $formats; do
  if ! . "$SRCDIR/tests/nvdisasm.sh"; then skip "$format: with machine code" "no ptxas or nvdisasm here"; continue; fi
  cd "$scratch/in-00" || exit 1
  "$PTXOPT" --sass plain.ptx -o want/plain.ptx --report "$format=$scratch/report" 2>/dev/null
  consume 'with machine code' "$format" plain.ptx
done

# ---- with the costs of edits, and limits on them ----

inputs=$SRCDIR/tests/cli/inputs
mkdir -p "$scratch/cost/want"
{ head_of none; printf '\tret;\n}\n'; "$inputs/loads-and-waits" a 6 '.maxntid 128'; } >"$scratch/cost/cost.ptx"
for format in $formats; do
  for words in '--max-registers 18' '--stats --ptxas-timeout 0.001'; do
    cd "$scratch/cost" || exit 1
    # shellcheck disable=SC2086
    "$PTXOPT" $words --ptxas "$inputs/ptxas-by-rule" cost.ptx -o want/cost.ptx \
      --report "$format=$scratch/report" 2>/dev/null
    mkdir -p "$scratch/cost-${words##* }/want"
    cp cost.ptx "$scratch/cost-${words##* }" && mv want/cost.ptx "$scratch/cost-${words##* }/want"
    cd "$scratch/cost-${words##* }" && consume "$words" "$format" cost.ptx
  done
done

# ---- each report, by its consumers ----

if [ -n "${INSTRUMENTED:-}" ]; then skip "reports, by those who read them" "this build is instrumented"
elif [ -z "$python" ]; then skip "reports, by those who read them" "no python3 here"
elif [ -e "$scratch/reports" ]; then
  "$python" "$check" <"$scratch/reports" >"$scratch/read" 2>&1
  while IFS= read -r line; do
    case $line in
      'ok - '*' # SKIP '*) line=${line#ok - }; skip "${line% # SKIP *}" "${line##* # SKIP }" ;;
      'ok - '*) ok "${line#ok - }" ;;
      'not ok - '*) not_ok "${line#not ok - }" ;;
      *) echo "# ${line#\# }" ;;
    esac
  done <"$scratch/read"
  if [ "$(grep -cE '^(not )?ok' "$scratch/read")" = "$(wc -l <"$scratch/reports")" ]; then ok "each report was read"; else
    comment "$scratch/read"
    not_ok "each report was read"
  fi
fi

# ---- the diff, by the tools that apply it ----

# applies NAME STYLE COMMAND...: passes if the command, with the diff as input in a copy, gives ptxopt's output.
applies() {
  local name=$1 style=$2
  shift 2
  rm -rf "$scratch/copy"
  mkdir "$scratch/copy"
  cp -- "$name" "$scratch/copy/"
  "$PTXOPT" --keep-going $style "$name" -o "$scratch/want.ptx" --report diff="$scratch/diff" 2>/dev/null || return 1
  [ -s "$scratch/diff" ] || { cmp -s "$name" "$scratch/want.ptx"; return; }
  (cd "$scratch/copy" && GIT_CEILING_DIRECTORIES=$scratch "$@") <"$scratch/diff" >"$scratch/wrong" 2>&1 &&
    cmp "$scratch/copy/$name" "$scratch/want.ptx" >>"$scratch/wrong" 2>&1 && return 0
  comment "$scratch/wrong"
  return 1
}

appliers=('patch -p1 --posix -s' 'patch -p1 -s' 'git -c apply.whitespace=error -c core.whitespace=cr-at-eol apply')
[ -z "${INSTRUMENTED:-}" ] || appliers=('patch -p1 -s')
for folder in "$scratch"/in-*; do
  chosen report/diff || break
  cd "$folder" || exit 1
  name=$(find . -maxdepth 1 -type f -printf '%P\n')
  for style in '' --annotate --squeeze; do
    for consumer in "${appliers[@]}"; do
      case $consumer,$name in
        *--posix*,*[!A-Za-z.-]*) continue ;; # POSIX has no way to write such names
      esac
      if ! command -v "${consumer%% *}" >/dev/null; then
        skip "$consumer: $name $style" "no ${consumer%% *} here"
      elif applies "$name" "$style" $consumer; then ok "$consumer: $name $style"
      else not_ok "$consumer: $name $style"; fi
    done
  done
done

# named FOLDER NAME: whatever the name of a file in FOLDER, the diff applies in a folder that has the file,
# also with a git for which blanks at the end of a line are an error.
named() {
  local good=1 number=0 name
  cd "$scratch/$1" || return 1
  "$PTXOPT" "$2" -o "$scratch/want.ptx" 2>/dev/null || return 1
  for name in "$2" "./$2" "$PWD/$2" "../${PWD##*/}//./$2" "${2%/*}/../$2" "$scratch/link/$2"; do
    "$PTXOPT" --check "$name" --report diff="$scratch/diff" 2>/dev/null
    for consumer in 'git -c apply.whitespace=error apply' 'patch -p1 -s'; do
      command -v "${consumer%% *}" >/dev/null || continue
      cp "$2" "$scratch/saved"
      GIT_CEILING_DIRECTORIES=$scratch $consumer <"$scratch/diff" >"$scratch/wrong" 2>&1 &&
        cmp "$2" "$scratch/want.ptx" >>"$scratch/wrong" 2>&1 || { comment "$scratch/wrong"; good=0; }
      cp "$scratch/saved" "$2"
      number=$((number + 1))
    done
  done
  [ $good = 1 ] && [ $number -gt 0 ]
}

if chosen report/diff; then
  mkdir -p "$scratch/tree/at/k" "$scratch/repository/at/k"
  for place in tree repository; do cp "$SRCDIR/examples/gemm-1cta/gemm-1cta.ptx" "$scratch/$place/at/k/a.ptx"; done
  ! command -v git >/dev/null || git -C "$scratch/repository" init -q
  for place in tree repository; do
    ln -sfn "$scratch/$place/at" "$scratch/link"
    if named "$place/at" k/a.ptx; then ok "diff: by any name of a file, in a $place"; else not_ok "diff: by any name of a file, in a $place"; fi
  done
  # A file outside of the folder is named from the root.
  cd "$scratch/repository" && "$PTXOPT" --check ../tree/at/k/a.ptx --report diff="$scratch/diff" 2>/dev/null
  if ! command -v patch >/dev/null; then skip "diff: of a file outside of the folder" "no patch here"
  elif patch -p1 -s -d / <"$scratch/diff" >"$scratch/wrong" 2>&1 && cmp "$scratch/tree/at/k/a.ptx" "$scratch/want.ptx"
  then ok "diff: of a file outside of the folder"
  else comment "$scratch/wrong"; not_ok "diff: of a file outside of the folder"; fi
fi

# ---- the page, in a browser ----

browser=
for candidate in chromium chromium-browser google-chrome; do
  [ -n "$browser" ] || browser=$(command -v "$candidate" || true)
done
# shows QUERY HITS: passes if the page shows HITS items for QUERY in the search field.
shows() {
  limited "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" \
    --virtual-time-budget=5000 --dump-dom "file://$scratch/in-00/page.html#find=$1" \
    >"$scratch/dom" 2>/dev/null && grep -q "<output id=\"hits\">$2 shown</output>" "$scratch/dom" && return 0
  grep -o '<output id="hits">[^<]*' "$scratch/dom" | comment -
  return 1
}
if ! chosen report/page || [ -n "${INSTRUMENTED:-}" ]; then :; elif [ -n "$browser" ]; then
  cd "$scratch/in-00" || exit 1
  "$PTXOPT" --check plain.ptx --report html=page.html 2>/dev/null
  all=$(grep -c '^<article' page.html)
  if shows '' "$all of $all"; then ok "html: a browser shows every item"; else not_ok "html: a browser shows every item"; fi
  if shows 'proxy-idle%20redundant' "1 of $all"; then ok "html: a browser finds one"; else not_ok "html: a browser finds one"; fi
else
  skip "html: a browser shows every item" "no chromium here"
  skip "html: a browser finds one" "no chromium here"
fi

# ---- what the formats promise beyond their syntax ----

cd "$scratch" || exit 1
# A format with a separate summary may omit some findings.
for form in $("$BUILDDIR/docgen" formats | sed '/job-summary/d; s/ .*//'); do
  chosen "report/$form" || continue
  kernels=("$SRCDIR"/examples/*/*.ptx)
  mkdir -p "$scratch/many"
  for kernel in "${kernels[@]}"; do
    cp "$kernel" "$scratch/many/"
  done
  "$PTXOPT" --check many --report "$form=one" 2>/dev/null
  "$PTXOPT" --check -j 4 many --report "$form=four" 2>/dev/null
  good=1
  cmp -s one four || { echo "# depends on -j"; good=0; }
  for kernel in many/*; do grep -qF "${kernel#many/}" one || { echo "# lacks $kernel"; good=0; }; done
  if [ $good = 1 ]; then ok "$form: six files in one report"; else not_ok "$form: six files in one report"; fi
done

# The tools that look for the file get the same path for every name of it.
for form in $below; do
  chosen "report/$form" || continue
  good=1
  "$PTXOPT" --check many --report "$form=one" 2>/dev/null
  for name in ./many "$PWD/many" "../${PWD##*/}//./many" many/../many; do
    "$PTXOPT" --check "$name" --report "$form=other" 2>/dev/null
    cmp -s one other || { echo "# differs for $name"; good=0; }
  done
  if [ $good = 1 ]; then ok "$form: paths are those below the folder"; else not_ok "$form: paths are those below the folder"; fi
done
finish
