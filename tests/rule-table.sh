#!/usr/bin/env bash
# Checks that src/rules/README.md agrees with the rules: its tables are those of the rules, and its rows those of
# --list-rules. UPDATE=1 writes the tables again.
set -u
. "$SRCDIR/tests/tap.sh"
readme=$SRCDIR/src/rules/README.md

# shown FILE: prints its lines between the marks.
shown() {
  sed -n '/^<!-- tables -->$/,/^<!-- end -->$/p' "$1" | sed '1d;$d'
}

what="the questions of the rules can be shown in rows"
if "$BUILDDIR/tests/rule_table" >"$scratch/tables" 2>&1; then ok "$what"; else
  comment "$scratch/tables"
  not_ok "$what"
  finish
fi
shown "$readme" >"$scratch/shown"
if [ -n "${UPDATE:-}" ] && ! cmp -s "$scratch/shown" "$scratch/tables"; then
  sed -e "/^<!-- tables -->\$/r $scratch/tables" -e '/^<!-- tables -->$/,/^<!-- end -->$/{/^<!-- /!d}' "$readme" \
    >"$scratch/readme" && cat "$scratch/readme" >"$readme"
  shown "$readme" >"$scratch/shown"
fi
what="the tables in src/rules/README.md are those of the rules"
if same "$what" "$scratch/shown" "$scratch/tables"; then ok "$what"; else not_ok "$what"; fi

"$PTXOPT" --list-rules | sed -n '/reported by --lint$/!s/^\([a-z][a-z-]*\) .*/\1/p' | sort >"$scratch/rules"
sed -n '/^| rule |/,/^$/s/^| `\([a-z-]*\)` .*/\1/p' "$readme" | sort >"$scratch/rows"
what="src/rules/README.md has a row for each rule"
if same "$what" "$scratch/rows" "$scratch/rules"; then ok "$what"; else not_ok "$what"; fi

"$PTXOPT" --list-rules | sed -n 's/^\([a-z][a-z-]*\) *removes .*/\1/p' | sort >"$scratch/rewrites"
sed -n '/^## 5/,/^## 6/s/^| `\([a-z-]*\)` .*/\1/p' "$SRCDIR/doc/model.md" | sort >"$scratch/rows"
what="doc/model.md has a row for each rule that removes"
if same "$what" "$scratch/rows" "$scratch/rewrites"; then ok "$what"; else not_ok "$what"; fi

"$BUILDDIR/docgen" man | sed -n '/^\.SH REASONS/,/^\.SH COMMENTS/s/^\.B //p' | tr -d '\\' | grep -v '^--' | sort >"$scratch/reasons"
sed -n '/^## Reasons/,/^## Stricter/s/^| \(`.*`\) | .*/\1/p' "$readme" | grep -oE '^`[^|]*' | grep -oE '`[a-z-]+`' | tr -d '`' | sort >"$scratch/rows"
what="src/rules/README.md has a row for each reason to keep"
if same "$what" "$scratch/rows" "$scratch/reasons"; then ok "$what"; else not_ok "$what"; fi

find "$EXPANDED/rules" -name '*.ptx' -print0 | xargs -0 -n 1 "$PTXOPT" --dump=plan 2>/dev/null |
  sed -n 's/.*: \([a-z-]*\) removes .*/\1/p' | sort -u >"$scratch/fired"
what="each rule that removes does so in some case with all rules on"
if same "$what" "$scratch/rewrites" "$scratch/fired"; then ok "$what"; else not_ok "$what"; fi
finish
