#!/usr/bin/env bash
# What the README says, as far as a test can tell: its links lead somewhere, the options it uses exist, the assumptions
# are the program's, its table of the examples is what ptxas gives today, and what it and src/README.md show is what
# is printed. doc/editors.md has the options of `ptxopt lsp`.
set -u
. "$SRCDIR/tests/tap.sh"
cd "$SRCDIR" || exit 1

# Of a heading: small letters, digits and hyphens for blanks, as GitHub and GitLab have it.
anchors() { sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'; }
grep -oE '\]\([^)]+\)' README.md | sed 's/^](//; s/)$//' | sort -u | while IFS= read -r link; do
  page=${link%%#*} anchor=${link#"${link%%#*}"}
  [ -e "${page:-README.md}" ] || echo "$link: there is no such file"
  [ -z "$anchor" ] || anchors "${page:-README.md}" | grep -qx -- "${anchor#?}" || echo "$link: there is no such heading"
done >"$scratch/dead"
if [ ! -s "$scratch/dead" ]; then ok "every link of the README leads to a file and a heading"; else
  comment "$scratch/dead"
  not_ok "every link of the README leads to a file and a heading"
fi

{ "$PTXOPT" --help; "$BUILDDIR/ptxopt-ptxas" --help; } >"$scratch/help" 2>&1
unknown=$(grep -E '(^|[`( ])ptxopt( |`)|^    nvcc' README.md | grep -oE -- '--[a-z][a-z-]+' | sort -u |
  while read -r option; do grep -q -- "$option" "$scratch/help" || echo "$option"; done)
if [ -z "$unknown" ]; then ok "every option in the README's commands exists"; else
  echo "# $unknown"
  not_ok "every option in the README's commands exists"
fi

"$PTXOPT" --help | tr -s '[:space:]' ' ' | grep -oE 'the options it takes [^.]*' | grep -oE -- '-[A-Za-z-]+' | sort >"$scratch/taken"
sed -n '/^## Options/,$s/^| \(`-[^|]*\)|.*/\1/p' doc/editors.md | grep -oE -- '`-[A-Za-z-]+' | tr -d '`' | sort >"$scratch/told"
if same "options" "$scratch/told" "$scratch/taken"; then ok "doc/editors.md has the options of ptxopt lsp"; else
  not_ok "doc/editors.md has the options of ptxopt lsp"
fi

# Name and default. What follows the ISA is off where none is named.
"$PTXOPT" --list-assumptions | awk '/^[a-z]/ { print $1, $2 }' | sort >"$scratch/program"
sed -n '/^### Assumptions/,/^##* [^A]/s/^| `\([a-z0-9.-]*\)` | \([^|]*\) | .*/\1 \2/p' README.md |
  sed 's/ with ISA .*/ off/' | sort >"$scratch/readme"
sed -n 's/^\*\*`\([a-z0-9.-]*\)`\*\* (\([a-z]*\).*/\1 \2/p' doc/model.md | sed 's/ where$/ off/' | sort >"$scratch/model"
# "a b (on), c d (off), e (on with …)"
"$BUILDDIR/ptxopt-verify" --help | sed -n '/^Assumptions: /,/^Exit/{/^Exit/!p}' | tr '\n' ' ' |
  sed 's/^Assumptions: //; s/ (on with [^)]*)/ (off)/' | tr ',' '\n' |
  awk '{ how = $0; sub(/.*\(/, "", how); sub(/\).*/, "", how); sub(/\(.*/, ""); for (i = 1; i <= NF; i++) print $i, how }' |
  sort >"$scratch/verify"
for page in readme model verify; do
  case $page in readme) what="the README lists" ;; model) what="doc/model.md has" ;; verify) what="ptxopt-verify --help lists" ;; esac
  if same "$page" "$scratch/$page" "$scratch/program"; then ok "$what the assumptions and their defaults"; else
    not_ok "$what the assumptions and their defaults"
  fi
done

{ echo '| code | what, on some path |'
  echo '|---|---|'
  "$PTXOPT" --list-rules | sed -n '/ reported by --lint$/{s/ .*//;N;s/\n */` | /;s/.*/| `& |/;p}'; } >"$scratch/codes"
sed -n '/^<!-- codes -->$/,/^<!-- end -->$/p' README.md | sed '1d;$d' >"$scratch/shown"
if [ -n "${UPDATE:-}" ] && ! cmp -s "$scratch/shown" "$scratch/codes"; then
  sed -e "/^<!-- codes -->\$/r $scratch/codes" -e '/^<!-- codes -->$/,/^<!-- end -->$/{/^<!-- /!d}' README.md \
    >"$scratch/new" && cat "$scratch/new" >README.md
  cp "$scratch/codes" "$scratch/shown"
fi
if same "codes" "$scratch/shown" "$scratch/codes"; then ok "the README's table of codes is the program's"; else
  not_ok "the README's table of codes is the program's"
fi

table="the README's table of the examples is what ptxas 13.0 gives"
if "${PTXAS-ptxas}" --version 2>/dev/null | grep -q 'release 13\.0'; then
  bash tests/bench/examples-table.sh >"$scratch/now"
  sed -n '/^| kernel | waits/,/^$/p' README.md | sed '/^$/d' >"$scratch/then"
  if same "table" "$scratch/then" "$scratch/now"; then ok "$table"; else not_ok "$table"; fi
else
  skip "$table" "no ptxas 13.0"
fi
# Each block that begins with a command shows lines of what it prints, in order.
for page in README.md src/README.md; do
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
