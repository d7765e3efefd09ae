#!/usr/bin/env bash
# Checks the README and the pages of doc/: the README is short, links are valid, the options in commands exist, the
# assumptions are those of the program, the table of the examples is the present output of ptxas, and the programs print
# the output that is shown. doc/editors.md has the options of `ptxopt lsp`. pages.sh runs the commands.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1
pages=(README.md doc/*.md)

words=$(wc -w <README.md)
for manual in doc/man/*.man; do
  lacks=
  for section in 'EXIT STATUS' SIGNALS ENVIRONMENT FILES EXAMPLES; do
    # The help of ptxopt-ptxas names its environment variables.
    grep -qxF "[$section]" "$manual" || [ "$section $manual" = "ENVIRONMENT doc/man/ptxopt-ptxas.man" ] || lacks+=" $section"
  done
  if [ -z "$lacks" ]; then ok "$manual has each section"; else
    echo "# lacks$lacks"
    not_ok "$manual has each section"
  fi
done

what="README.md has at most 1800 words"
if [ "$words" -le 1800 ]; then ok "$what"; else
  echo "# $words words"
  not_ok "$what"
fi

# The anchors of headings: small letters, digits, and hyphens for blanks, as on GitHub and GitLab.
anchors() { sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'; }

# dead_links PAGE: prints its links that lead to no file or no heading. Links to the web are not followed.
dead_links() {
  grep -oE '\]\([^)]+\)' "$1" | sed 's/^](//; s/)$//' | grep -v '^https:' | sort -u | while IFS= read -r link; do
    page=${link%%#*} anchor=${link#"${link%%#*}"}
    file=$1
    [ -z "$page" ] || file=$(dirname "$1")/$page
    [ -e "$file" ] || echo "$link: there is no such file"
    [ -z "$anchor" ] || anchors "$file" | grep -qx -- "${anchor#?}" || echo "$link: there is no such heading"
  done
}
for page in "${pages[@]}"; do
  dead_links "$page" >"$scratch/dead"
  if [ ! -s "$scratch/dead" ]; then ok "every link of $page leads to a file and a heading"; else
    comment "$scratch/dead"
    not_ok "every link of $page leads to a file and a heading"
  fi
done

{ "$PTXOPT" --help; "$BUILDDIR/ptxopt-ptxas" --help; } >"$scratch/help" 2>&1
for page in "${pages[@]}"; do
  unknown=$(grep -E '(^|[`( ])ptxopt( |`)|^    nvcc' "$page" | grep -oE -- '--[a-z][a-z-]+' | sort -u |
    while read -r option; do grep -q -- "$option" "$scratch/help" || echo "$option"; done)
  if [ -z "$unknown" ]; then ok "every option in the commands of $page exists"; else
    echo "# $unknown"
    not_ok "every option in the commands of $page exists"
  fi
done

"$PTXOPT" --help | tr -s '[:space:]' ' ' | grep -oE 'It takes the options [^.]*' | grep -oE -- '-[A-Za-z-]+' | sort >"$scratch/taken"
sed -n '/^## Options/,$s/^| \(`-[^|]*\)|.*/\1/p' doc/editors.md | grep -oE -- '`-[A-Za-z-]+' | tr -d '`' | sort >"$scratch/told"
if same "options" "$scratch/told" "$scratch/taken"; then ok "doc/editors.md has the options of ptxopt lsp"; else
  not_ok "doc/editors.md has the options of ptxopt lsp"
fi

# The name and the default. An assumption whose default depends on the ISA is off if no ISA is named.
"$PTXOPT" --list-assumptions | awk '/^[a-z]/ { print $1, $2 }' | sort >"$scratch/program"
sed -n '/^## Assumptions/,$s/^| `\([a-z0-9.-]*\)` | \([^|]*\) | .*/\1 \2/p' doc/assumptions.md |
  sed 's/ with ISA .*/ off/' | sort >"$scratch/assumptions"
sed -n 's/^\*\*`\([a-z0-9.-]*\)`\*\* (\([a-z]*\).*/\1 \2/p' doc/model.md | sed 's/ where$/ off/' | sort >"$scratch/model"
# "a b (on), c d (off), e (on with …)"
"$BUILDDIR/ptxopt-verify" --help | sed -n '/^Assumptions: /,/^Exit/{/^Exit/!p}' | tr '\n' ' ' |
  sed 's/^Assumptions: //; s/ (on with [^)]*)/ (off)/' | tr ',' '\n' |
  awk '{ how = $0; sub(/.*\(/, "", how); sub(/\).*/, "", how); sub(/\(.*/, ""); for (i = 1; i <= NF; i++) print $i, how }' |
  sort >"$scratch/verify"
for page in assumptions model verify; do
  case $page in assumptions) what="doc/assumptions.md lists" ;; model) what="doc/model.md has" ;; verify) what="ptxopt-verify --help lists" ;; esac
  if same "$page" "$scratch/$page" "$scratch/program"; then ok "$what the assumptions and their defaults"; else
    not_ok "$what the assumptions and their defaults"
  fi
done

# The levels of a code are those of its marks in tests/lint-codes, which are all that lint reports there.
grep -rhoE '// (error|warning|note): [a-z-]+' tests/lint-codes >"$scratch/marks"
levels_of() {
  local level levels=
  for level in error warning note; do
    if grep -qxF "// $level: $1" "$scratch/marks"; then levels+="${levels:+, }$level"; fi
  done
  echo "$levels"
}
{ echo '| code | level | hazard, on some path |'
  echo '|---|---|---|'
  "$PTXOPT" --list-rules | sed -n '/ reported by --lint$/{s/ .*//;N;s/\n */ /;p}' | while read -r code hazard; do
    echo "| \`$code\` | $(levels_of "$code") | $hazard |"
  done; } >"$scratch/codes"
sed -n '/^<!-- codes -->$/,/^<!-- end -->$/p' doc/lint.md | sed '1d;$d' >"$scratch/shown"
if [ -n "${UPDATE:-}" ] && ! cmp -s "$scratch/shown" "$scratch/codes"; then
  sed -e "/^<!-- codes -->\$/r $scratch/codes" -e '/^<!-- codes -->$/,/^<!-- end -->$/{/^<!-- /!d}' doc/lint.md \
    >"$scratch/new" && cat "$scratch/new" >doc/lint.md
  cp "$scratch/codes" "$scratch/shown"
fi
if same "codes" "$scratch/shown" "$scratch/codes"; then ok "the table of codes in doc/lint.md has the program's codes and the levels of the cases"; else
  not_ok "the table of codes in doc/lint.md has the program's codes and the levels of the cases"
fi

table="the table of the examples in doc/kernels.md is what ptxas 13.0 gives"
if "${PTXAS-ptxas}" --version 2>/dev/null | grep -q 'release 13\.0'; then
  bash tests/bench/examples-table.sh >"$scratch/now"
  sed -n '/^| kernel | waits/,/^$/p' doc/kernels.md | sed '/^$/d' >"$scratch/then"
  if same "table" "$scratch/then" "$scratch/now"; then ok "$table"; else not_ok "$table"; fi
else
  skip "$table" "no ptxas 13.0"
fi
# Each block that begins with a command shows lines of its output, in order.
for page in "${pages[@]}" src/README.md; do
  awk '/^```/ { if (inside) print "$ "; inside = !inside; next } inside' $page >"$scratch/blocks"
  while IFS= read -r command; do
    read -r -a words <<<"${command#\$ ptxopt }"
    awk -v command="$command" '/^\$ / { mine = $0 == command; next } mine' "$scratch/blocks" >"$scratch/shown"
    "$PTXOPT" "${words[@]}" >"$scratch/printed" 2>&1
    if awk 'NR == FNR { shown[++n] = $0; next } $0 == shown[i + 1] { i++ } END { exit i < n || !n }' \
      "$scratch/shown" "$scratch/printed"; then ok "$page: $command"; else
      comment "$scratch/printed"
      not_ok "$page: $command"
    fi
  done < <(grep '^\$ ptxopt ' "$scratch/blocks")
done
finish
