#!/usr/bin/env bash
# In examples/ each wait, fence and proxy fence is blanked alone (tests/sleeps/sleeps.c). If the checker needs the
# instruction, and its absence is no accepted style, lint should report a hazard: it must do so for at least the share in
# tests/sleeps/least, in percent. doc/lint.md has the table of the findings, and its sums.
set -u
. "$SRCDIR/tests/tap.sh"

cd "$SRCDIR" || exit 1
least=$(cat tests/sleeps/least)
MISSES="$scratch/misses" SHARE="$scratch/share" bash tests/sleeps/table.sh examples >"$scratch/tables" || skip_all "no tests/sleeps/sleeps"
what="lint finds at least $least % of what is blanked in examples/"
if [ "$(cat "$scratch/share")" -ge "$least" ]; then ok "$what"; else
  comment "$scratch/misses"
  not_ok "$what"
fi

sed '/^$/,$d' "$scratch/tables" >"$scratch/table"
what="doc/lint.md has the sums of this table"
sums=$(awk -F ' *[|] *' '
  $4 ~ /^[0-9]+$/ { sites += $3; refused += $4; style += $5; asked += $6; found += $7 }
  END {
    printf "%d waits, fences and proxy fences were blanked, one in each text. The checker refuses %d of these texts. ", sites, refused
    printf "Lint accepts %d of them as [style](#accepted-styles); it finds %d of the other %d.", style, found, asked
  }' "$scratch/table")
if tr -s '\n' ' ' <doc/lint.md | grep -qF "$sums"; then ok "$what"; else
  echo "# $sums"
  not_ok "$what"
fi

sed -n '/^<!-- sleeps -->$/,/^<!-- end -->$/p' doc/lint.md | sed '1d;$d' >"$scratch/shown"
if [ -n "${UPDATE:-}" ] && ! cmp -s "$scratch/shown" "$scratch/table"; then
  sed -e "/^<!-- sleeps -->\$/r $scratch/table" -e '/^<!-- sleeps -->$/,/^<!-- end -->$/{/^<!-- /!d}' doc/lint.md \
    >"$scratch/new" && cat "$scratch/new" >doc/lint.md
  cp "$scratch/table" "$scratch/shown"
fi
if same "table" "$scratch/shown" "$scratch/table"; then ok "the table of doc/lint.md is so"; else
  not_ok "the table of doc/lint.md is so"
fi
finish
