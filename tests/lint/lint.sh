#!/usr/bin/env bash
# The rules of the source tree that a tool can check: which layer includes which, who may end the process, the
# length of files, what the library exports. `make lint` runs this alone.
set -u
. "$SRCDIR/tests/tap.sh"
[ -z "${INSTRUMENTED:-}" ] || skip_all "it reads the sources, whatever the build"
cd "$SRCDIR" || exit 1

# about WHAT: prints it before the check.
about() { echo "# $1 ..."; }

# each COMMAND...: runs it on the files that standard input names, many at a time, on all processors.
each() { tr '\n' '\0' | xargs -0 -r -P "$(nproc)" -n "${many:-100}" "$@"; }

# sizes WARN MOST: reads lines "PLACE: N lines"; those above MOST are failures, those above WARN are printed. Split by
# subject, not by length: a long file or function about one subject need not be split.
sizes() {
  awk -v warn="$1" -v most="$2" -v found="$scratch/found" '
    { n = $(NF - 1) }
    n > most { print >found; next }
    n > warn { print "# warning: " $0 ", expected about " warn " at most: is it of one subject?" }'
}

# verdict NAME: ok if $scratch/found is empty, otherwise its lines are the failures.
verdict() {
  if [ -s "$scratch/found" ]; then
    comment "$scratch/found"
    not_ok "$1"
  else
    ok "$1"
  fi
}

# Prints the files that people wrote. In a git tree, those that git tracks or would add; in a release, all.
tree_files() {
  if [ -e .git ] && command -v git >/dev/null; then
    git ls-files -co --exclude-standard -- . 2>/dev/null | while IFS= read -r file; do
      [ ! -f "$file" ] || printf '%s\n' "$file"
    done
  else
    find . -type f ! -path './_build/*' ! -path './_inst/*' ! -path './build-aux/*' ! -path './m4/*' ! -path './autom4te.cache/*' \
      ! -name 'configure*' ! -name 'config.*' ! -name aclocal.m4 ! -name Makefile.in ! -name Makefile \
      ! -name libtool ! -name '*.log' ! -name '*.o' ! -name '*.lo' ! -name '*.la' ! -name '*.Po' \
      -printf '%P\n'
  fi | sort
}
tree_files >"$scratch/files"
grep -E '^(src|server)/.*\.[ch]$' "$scratch/files" >"$scratch/code"

# The code as FILE:NUMBER:TEXT, comments and strings blanked.
tr '\n' '\0' <"$scratch/code" | xargs -0 -r awk '
  FNR == 1 { inside = 0 }
  {
    line = $0; kept = ""
    while (line != "") {
      if (inside) {
        end = index(line, "*/")
        if (!end) break
        line = substr(line, end + 2); inside = 0
      } else if (match(line, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\/|\/\*/)) {
        kept = kept substr(line, 1, RSTART - 1)
        token = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (token == "//") break
        if (token == "/*") inside = 1
        else kept = kept "\"\""
      } else { kept = kept line; break }
    }
    print FILENAME ":" FNR ":" kept
  }' >"$scratch/blanked"

# Slow checks run in the background: each writes its lines to a file.
if command -v shellcheck >/dev/null; then
  grep -E '\.sh$|^bootstrap$|^\.ci/' "$scratch/files" |
    many=4 each shellcheck -x -s bash -S warning -f gcc >"$scratch/shellcheck" 2>&1 &
fi
if clang-format --version 2>/dev/null | grep -q ' version 14\.'; then
  have_clang_format=yes
  grep -E '\.[ch]$' "$scratch/files" | grep -vE '^tree-sitter-ptx/src/(parser\.c|tree_sitter/)' |
    many=20 each clang-format --dry-run -Werror >"$scratch/clang-format" 2>&1 &
fi

# ---- includes point one way ----

# may_include LAYER: prints the layers that it may include.
may_include() {
  case $1 in
    base) echo base ;;
    text) echo base text ;;
    syntax) echo base text syntax tree-sitter-ptx ;;
    ptx) echo base text syntax ptx ;;
    flow) echo base text syntax ptx flow ;;
    value) echo base text syntax ptx flow value ;;
    order) echo base text syntax ptx flow value order ;;
    rules) echo base text syntax ptx flow value order rules ;;
    lint) echo base text syntax ptx flow value order lint ;;
    check) echo base text check check/model ;;
    check/read) echo base text check/read ;;
    check/model) echo base text check/read check/model ;;
    check/prove) echo base text check check/read check/model check/prove ;;
    engine) echo base text syntax ptx flow value order rules lint check engine ;;
    api) echo base text syntax ptx flow value order rules lint check engine ptxopt api ;;
    report) echo base text ptxopt report ;;
    lsp) echo base text ptxopt report lsp ;;
    cli) echo base text ptxopt report lsp cli ;;
    wrapper) echo base text ptxopt report cli wrapper ;;
    server/base) echo base ptxopt report server/base ;;
    server/store) echo base server/base server/store ;;
    server/handle) echo base ptxopt report server/base server/store server/handle ;;
    server/work) echo base ptxopt server/base server/store server/handle server/work ;;
    server/net) echo base server/base server/store server/handle server/work server/net ;;
    server) echo base ptxopt report server/base server/store server/handle server/work server/net ;;
  esac
}

about "includes"
for layer in $(sed -n '/^may_include()/,/^}/s/^    \([a-z/]*\)) echo.*/\1/p' tests/lint/lint.sh); do
  for seen in $(may_include "$layer"); do echo "$layer $seen"; done
done >"$scratch/may"
tr '\n' '\0' <"$scratch/code" | xargs -0 -r grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*"' |
  sed 's/:[^"]*"\(.*\)"$/ \1/' >"$scratch/includes"
awk '
  function layer_of(file,  part) {
    split(file, part, "/")
    if (file ~ /^src\/check\/.*\//) return part[2] "/" part[3] # the layers of the checker
    if (part[1] == "src") return part[2]
    return file ~ /^server\/.*\// ? part[1] "/" part[2] : "server"
  }
  function target_of(header) {
    if (header == "api/ptxopt.h") return "ptxopt"
    if (header ~ /^server\/.*\// || header ~ /^check\/.*\//) { sub(/\/[^\/]*$/, "", header); return header }
    return header ~ /\// ? substr(header, 1, index(header, "/") - 1) : "nowhere" # not named from the top
  }
  NR == FNR { may[$1, $2]; next }
  !((layer_of($1), target_of($2)) in may) { print $1 " includes " $2 }' \
  "$scratch/may" "$scratch/includes" >"$scratch/found"
verdict "includes point one way"

# A file and its header count as one; tsort names those that are in a cycle.
sed -n 's/^\(server\/[^ ]*\)\.[ch] \(server\/.*\)\.h$/\1 \2/p' "$scratch/includes" | tsort 2>&1 >"$scratch/sorted" | sed 's/^tsort: //' >"$scratch/found"
verdict "no file of the server includes one that includes it"

# The same for links: an object needs a name that another one defines. The source of an object is the file in its folder
# whose name is the end of its own: libptxopt_report_la-json.o. The commands and the service share no program.
no_circles="no file needs, by what it links, one that needs it"
find "$BUILDDIR/src" "$BUILDDIR/server" -name '*.o' 2>/dev/null | sort >"$scratch/objects"
if command -v nm >/dev/null && [ -s "$scratch/objects" ]; then
  about "what files link"
  tr '\n' '\0' <"$scratch/objects" | xargs -0 nm -gA 2>/dev/null | awk -v build="$BUILDDIR/" '
    FILENAME != "-" { code[$0]; next }
    {
      object = $1; sub(/:[^:]*$/, "", object)
      if (object != last) {
        last = object; file = object
        sub(build, "", file); sub(/\.libs\//, "", file); sub(/[^\/]*-/, "", file); sub(/\.o$/, ".c", file)
      }
      if (file in code) print $NF, ($(NF - 1) == "U" ? "needs" : "has"), file
    }' "$scratch/code" - | sort -u >"$scratch/names"
  awk '$2 == "needs" { print $1, $3 }' "$scratch/names" >"$scratch/needs"
  awk '$2 == "has" && $1 != "main" { print $1, $3 }' "$scratch/names" >"$scratch/has"
  join "$scratch/needs" "$scratch/has" | awk '
    $2 == $3 || ($2 $3) ~ /src\/(cli|wrapper)\/.*server\/|server\/.*src\/(cli|wrapper)\// { next }
    !(($2, $3) in seen) { seen[$2, $3]; print $2, $3, $1 }' >"$scratch/edges"
  # tsort names the files of each cycle; each is shown with the names that it needs of the others.
  cut -d ' ' -f 1,2 "$scratch/edges" | tsort 2>&1 >"$scratch/sorted" | awk '
    FILENAME == "-" { if (/input contains a loop/) circle++; else of[circle, $2] = 1; next }
    { edge[++edges] = $0 }
    END {
      for (i = 1; i <= circle; i++)
        for (k = 1; k <= edges; k++) {
          split(edge[k], part, " ")
          if (of[i, part[1]] && of[i, part[2]]) print part[1] " needs " part[3] " of " part[2]
        }
    }' - "$scratch/edges" >"$scratch/found"
  [ -s "$scratch/sorted" ] || echo "no object says what it needs" >>"$scratch/found"
  verdict "$no_circles"

  # Every name that is visible to other files must be used by another file, or by a test. Public names are excepted.
  awk '$2 == "has" && $1 != "main" && $1 !~ /^(ptxopt_|__)/ { print $1, $3 }' "$scratch/names" >"$scratch/has"
  {
    cut -d ' ' -f 1 "$scratch/needs"
    grep '^tests/.*\.[ch]$' "$scratch/files" | tr '\n' '\0' | xargs -0 -r grep -hoE '\b[a-z][a-z0-9]*_[a-z0-9_]+'
  } | sort -u | join -v 2 - "$scratch/has" | sed 's/\(.*\) \(.*\)/\2: \1 is needed by no other file: static, or not at all/' >"$scratch/found"
  verdict "what a file shows to others is used"
else
  skip "$no_circles" "no nm, or no objects"
fi

# only_in HEADER PATTERN: only files that match include the header.
only_in() {
  tr '\n' '\0' <"$scratch/code" | xargs -0 -r grep -lE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$1[>\"]" |
    grep -vE "$2" | sed "s|\$| includes $1|" >"$scratch/found"
  verdict "$1 is included only in its place"
}
only_in tree_sitter/api.h '^src/syntax/'
only_in microhttpd.h '^server/net/(httpd\.c|connection\.c|response\.[ch])$'
only_in jansson.h '^(src/(report|wrapper)/json[^/]*\.c|src/lsp/[^/]*\.c|server/(main|base/(log|spans)|handle/[^/]*)\.[ch])$'

# ---- rules: one name four times, none knows another ----

grep -E '^src/rules/[a-z_]+\.c$' "$scratch/code" | while IFS= read -r file; do
  stem=$(basename "$file" .c)
  grep -qE "\brule_$stem\b" "$file" && echo "$stem"
done >"$scratch/rules"

while IFS= read -r rule; do
  grep -oE '"rules/[a-z_]+\.[ch]"' "src/rules/$rule.c" | while IFS= read -r header; do
    other=$(basename "${header//\"/}" | sed 's/\.[ch]$//')
    if [ "$other" != "$rule" ] && grep -qx "$other" "$scratch/rules"; then
      echo "src/rules/$rule.c includes $header"
    fi
  done
done <"$scratch/rules" >"$scratch/found"
verdict "no rule includes another rule"

while IFS= read -r rule; do
  id=${rule//_/-}
  grep -q "\"$id\"" "src/rules/$rule.c" || echo "src/rules/$rule.c does not have the id \"$id\""
  grep -qE "^ +X\\($rule\\)" src/rules/rule.h || echo "src/rules/rule.h does not list $rule"
  grep -qs '// kept' tests/rules/"$id"/*.ptx || echo "tests/rules/$id/ has no case that stays as it is"
  sed -n '/^#define REWRITES/,/^$/p' src/rules/rule.h | grep -qE "X\\($rule\\)" || continue
  grep -qs "// removed: $id" tests/rules/"$id"/*.ptx || echo "tests/rules/$id/ has no case that fires"
done <"$scratch/rules" >"$scratch/found"
verdict "each rule has one name, is listed and has cases for and against"

# The same for a code of lint: its row, its file, its id, cases with findings and cases without.
sed -n '/^#define LINT_CODES/,/^$/s/^ *X(\([a-z_]*\)).*/\1/p' src/lint/codes.h | while IFS= read -r code; do
  id=${code//_/-}
  if ! [ -e "src/lint/$code.c" ]; then echo "src/lint/codes.h lists $code, and there is no src/lint/$code.c"; continue; fi
  grep -q "\.id = \"$id\"" "src/lint/$code.c" || echo "src/lint/$code.c does not have the id \"$id\""
  grep -rqsE "// (error|warning|note): $id" "tests/lint-codes/$id" || echo "tests/lint-codes/$id/ has no case that is found"
  SRCDIR=$PWD CASES='' "$BUILDDIR/tests/run_cases" --list "tests/lint-codes/$id" | grep -qP '\t\t\t$' ||
    echo "tests/lint-codes/$id/ has no case that is not found"
done >"$scratch/found"
verdict "each code of lint has one name and cases for and against"

# ---- who may end the process ----

grep -vE '^(src/cli/|src/base/(mem|bug)\.c:|src/check/verify\.c:|src/wrapper/|server/main\.c:|server/work/(child|spawner)\.c:)' \
  "$scratch/blanked" | grep -E '\b(_?exit|_Exit|quick_exit|abort)[[:space:]]*\(' >"$scratch/found"
verdict "only the command line ends the process"

# ---- files ----

about "files"
grep -E '\.[ch]$|\.sh$|\.js$|\.mk$' "$scratch/files" | grep -vE '^tree-sitter-ptx/(src/|grammar\.js$)' | tr '\n' '\0' |
  xargs -0 -r awk '
    FNR == 1 { printed = 0 }
    /^\/\* Printed by / { printed = 1 }
    { lines[FILENAME] = printed ? 0 : FNR }
    END { for (file in lines) print file ": " lines[file] " lines" }' | sort >"$scratch/lengths"
: >"$scratch/found"
sizes 450 700 <"$scratch/lengths"
verdict "no file is longer than 700 lines"

# In brackets, so that this file does not contain what it searches for.
tr '\n' '\0' <"$scratch/files" |
  xargs -0 -r grep -HnIE '(^|[^A-Za-z0-9_.-])/(wor[k]|roo[t]|hom[e]/[a-z])/?' 2>/dev/null |
  grep -E ':.*(/(wor[k]|roo[t])/|/hom[e]/)' | cut -c 1-150 >"$scratch/found"
verdict "no file names a path of one machine"

# Lists in local.mk and files in folders are the same.
# listed_in LIST: prints each word of that list of files.
listed_in() { tr -s '[:space:]' '\n' <"$1"; }
{
  for list in src server; do
    grep -E "^$list/.*\.[ch]$" "$scratch/files" | grep -vxFf <(listed_in "$list/local.mk") | sed "s|\$| is not in $list/local.mk|"
  done
  # For a program tests/unit/test_x with one source, automake knows the source by default.
  grep -E '^tests/(unit|model|bench)?/?[a-z_]+\.[ch]$' "$scratch/files" |
    grep -vxFf <(listed_in tests/local.mk | sed 'p; s/$/.c/') | sed 's|$| is not in tests/local.mk|'
  for folder in examples/*/ tests/*/; do
    folder=${folder%/}
    case $folder in tests/unit | tests/model | tests/lint | tests/bench) continue ;; esac
    grep -qE "(^|[[:space:]])$folder([[:space:]]|$)" "${folder%%/*}/local.mk" ||
      echo "$folder is not in ${folder%%/*}/local.mk"
  done
} >"$scratch/found"
verdict "every source and data folder is in its local.mk"

# ---- citations of doc/model.md ----

# Each citation of a guarantee (G4'), section, case of the never-list or section of the ISA must name one that exists. For
# sections below 9.7.16 the table of sources has the section itself, for others the chapter.
awk '
  match($0, /^### G[0-9]+\047?\./) { print "G", substr($0, 6, RLENGTH - 6) }
  match($0, /^## [0-9]+\./) { section = substr($0, 4, RLENGTH - 4); print "section", section }
  section == 6 && /^[0-9]+\. / { sub(/\..*/, ""); print "never-list", $0 }
  section == 9 && $2 ~ /^9\.7\.[0-9.]+$/ { print "ISA", $2 }' doc/model.md >"$scratch/there"

grep -E '^(src|tests|doc)/.*\.(c|h|md|sh|patch|tsv|txt)$|^README\.md$' "$scratch/files" >"$scratch/citing"
# cites KIND PATTERN [FORM]: prints matches as "FILE:LINE KIND NUMBER", for each FORM in them.
cites() {
  tr '\n' '\0' <"$scratch/citing" | xargs -0 grep -noHIE -- "$2" | awk -v kind="$1" -v form="${3:-[0-9]+}" '{
    split($0, part, ":"); rest = part[3]
    while (match(rest, form)) {
      print part[1] ":" part[2], kind, substr(rest, RSTART, RLENGTH)
      rest = substr(rest, RSTART + RLENGTH)
    }
  }'
}
{
  cites G "\bG[0-9]+('\B)?" "[0-9]+'?"
  cites section '\bmodel(\.md)?,? section [0-9]+'
  cites never-list 'section 6, case [0-9]+' '[0-9]+$'
  cites never-list 'never-list [0-9]+( and [0-9]+)*'
  cites ISA '\b9\.7(\.[0-9]+)+' '9[.0-9]+' | sed -E '/ 9\.7\.16\./!s/ (9\.7\.[0-9]+).*/ \1/'
} | awk 'FILENAME != "-" { there[$0]; next }
  { place = $1; sub(/^[^ ]* /, ""); if (!($0 in there)) print place " cites " $0 }' \
  "$scratch/there" - >"$scratch/found"
verdict "every guarantee, section and case that is cited is in doc/model.md"

for folder in src src/*/ server; do
  [ -e "${folder%/}/README.md" ] || echo "${folder%/}/ has no README.md"
done >"$scratch/found"
verdict "each folder has a README"

# ---- names and heads: by programs of their own, tried on cases first ----

# finds NAME FILES...: passes if NAME.awk has the expected findings in the files of a case.
finds() {
  local program=$1 case
  for case in "tests/lint/cases/$program"/*/; do
    case=${case%/}
    if [ "$program" = names ]; then
      grep -Hn '' "$case"/*.c | sed "s|^$case/||" | awk -f "tests/lint/$program.awk"
    else
      (cd "$case" && find . -type f ! -name expected | sed 's|^\./||' | sort | xargs awk -f "$SRCDIR/tests/lint/$program.awk")
    fi | sort >"$scratch/got"
    if same "$case" "$case/expected" "$scratch/got"; then ok "$case"; else not_ok "$case"; fi
  done
}
finds names
finds heads

awk -f tests/lint/names.awk "$scratch/blanked" | sort >"$scratch/found"
verdict "no two files define a function of one name"

{ cat "$scratch/code"; grep -E '^(src|server)/(.*/)?README\.md$' "$scratch/files"; } | tr '\n' '\0' |
  xargs -0 awk -f tests/lint/heads.awk >"$scratch/found"
verdict "the head of a file says what it is responsible for, and asks nothing"

# ---- C ----

about "C"
grep -E '\.c$' "$scratch/files" | grep -v '^tree-sitter-ptx/src/' | tr '\n' '\0' | xargs -0 -r awk '
  FNR == 1 { first = 0 }
  /^{/ { first = FNR }
  /^}/ { if (first) print FILENAME ":" first ": " FNR - first - 1 " lines"; first = 0 }' >"$scratch/lengths"
: >"$scratch/found"
sizes 40 80 <"$scratch/lengths"
verdict "no function is longer than 80 lines"

# Functions that write without knowing the available space, keep state, or do not report what they could not read.
banned='gets|strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|system|alloca|tmpnam|mktemp|rand|asctime|ctime|gmtime|localtime'
grep -E "\\b($banned)[[:space:]]*\\(" "$scratch/blanked" >"$scratch/found"
verdict "no banned function is called"

compiler=$(sed -n 's/^CC = //p' "$BUILDDIR/Makefile")
if [ -n "$compiler" ]; then
  about "headers, each compiled alone"
  export compiler
  # shellcheck disable=SC2016 # it is the inner shell's
  grep '\.h$' "$scratch/code" | many=10 each bash -c '
    for file in "$@"; do
      # compiler and options are words
      echo "#include \"${file#src/}\"" |
        $compiler -std=gnu11 -fsyntax-only -w -include "$BUILDDIR/config.h" -I"$BUILDDIR" -Isrc -I. \
          -Itree-sitter-ptx/bindings/c -x c - >/dev/null 2>&1 || echo "$file"
    done' bash >"$scratch/found"
  verdict "every header compiles alone"
  # A literal that fills its array has no final zero, so whoever prints it also prints the next member.
  # shellcheck disable=SC2016 # it is the inner shell's
  grep '\.c$' "$scratch/code" | many=10 each bash -c '
    $compiler -std=gnu11 -fsyntax-only -Wc++-compat -include "$BUILDDIR/config.h" -I"$BUILDDIR" -Isrc -I. -Iserver \
      -Itree-sitter-ptx/bindings/c "$@" 2>&1 | grep "too long for C++"' bash >"$scratch/found"
  verdict "every literal ends within its array"
else
  skip "every header compiles alone" "no Makefile names a compiler"
fi

# ---- one hand ----

# Another version formats some lines differently: `make format` reports the same.
about "clang-format and shellcheck"
wait
if [ -n "${have_clang_format:-}" ]; then
  grep -E ' error: ' "$scratch/clang-format" >"$scratch/found"
  verdict "clang-format changes nothing (make format)"
else
  skip "clang-format changes nothing (make format)" "no clang-format 14 here"
fi

# ---- the built library ----

library=$BUILDDIR/.libs/libptxopt.so
if [ -e "$library" ] && command -v nm >/dev/null; then
  # Coverage and sanitizers add names of their own.
  nm -D --defined-only "$library" | awk '$3 !~ /^(ptxopt_|__?(asan|ubsan|odr_asan|gcov|llvm|start|stop))/ { print $3 }' \
    >"$scratch/found"
  verdict "the library exports only ptxopt_ names"
else
  skip "the library exports only ptxopt_ names" "no shared library was built"
fi

# Instrumented builds have counters and tables of their own.
if grep -qE '^SAN_CFLAGS = *$' "$BUILDDIR/Makefile" && ! grep -qE '^CFLAGS = .*--coverage' "$BUILDDIR/Makefile"; then
  about "the built library"
  find "$BUILDDIR/src" -name '*.o' ! -path '*/cli/*' ! -path '*/wrapper/*' ! -name '*verify.o' | sort | tr '\n' '\0' |
    xargs -0 -r objdump -t | awk -v build="$BUILDDIR/" '
      / file format / { object = $1; sub(/:$/, "", object); sub(build, "", object) }
      / O (\.data|\.bss|\*COM\*)[ \t]/ || (/ \.t(data|bss)[ \t]/ && $NF !~ /^(\.t.*|work_thread)$/) {
        print object ": " $NF
      }' >"$scratch/found"
  verdict "the library has no writable static data"
else
  skip "the library has no writable static data" "this build is instrumented"
fi

# A name that a program of the tests defines would silently replace the same name of the library; mutants/tables does so
# on purpose.
internal=$BUILDDIR/.libs/libptxopt_internal.a
if [ -e "$internal" ] && command -v nm >/dev/null; then
  nm "$internal" 2>/dev/null | awk '$2 == "T" { print $3 }' | sort -u >"$scratch/internal"
  find "$BUILDDIR/tests" -name '*.o' ! -path '*/mutants/*' -exec nm {} + 2>/dev/null | awk '$2 == "T" { print $3 }' | sort -u |
    comm -12 - "$scratch/internal" >"$scratch/found"
  verdict "no test defines a name of the library"
else
  skip "no test defines a name of the library" "no library was built"
fi

# ---- scripts ----

if command -v shellcheck >/dev/null; then
  cp "$scratch/shellcheck" "$scratch/found"
  verdict "shellcheck finds nothing"
else
  skip "shellcheck finds nothing" "no shellcheck here"
fi
finish
