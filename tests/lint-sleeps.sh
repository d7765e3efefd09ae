#!/usr/bin/env bash
# Does lint sleep? In examples/ each wait, fence and proxy fence is blanked by itself (tests/sleeps/sleeps.c): of those
# that the checker refuses to lose, and that is no style, lint finds at least the share in tests/sleeps/least, in
# percent, and so the README says; and the table of doc/lint.md is what is found.
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

what="the README says how much that is"
if tr -s '\n' ' ' <README.md | grep -qF "lint finds at least $least %."; then ok "$what"; else not_ok "$what"; fi

sed '/^$/,$d' "$scratch/tables" >"$scratch/table"
sed -n '/^<!-- sleeps -->$/,/^<!-- end -->$/p' doc/lint.md | sed '1d;$d' >"$scratch/shown"
if [ -n "${UPDATE:-}" ] && ! cmp -s "$scratch/shown" "$scratch/table"; then
  sed -e "/^<!-- sleeps -->\$/r $scratch/table" -e '/^<!-- sleeps -->$/,/^<!-- end -->$/{/^<!-- /!d}' doc/lint.md \
    >"$scratch/new" && cat "$scratch/new" >doc/lint.md
fi
if same "table" "$scratch/shown" "$scratch/table"; then ok "the table of doc/lint.md is so"; else
  not_ok "the table of doc/lint.md is so"
fi
finish
