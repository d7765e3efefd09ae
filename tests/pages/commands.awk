# The command lines of a page of Markdown without their comments, each behind the number of its block: an indented one,
# whose blank lines do not end it, or a row of a table with the column "the line", of which the first code counts.
function tell(command) {
  sub(/  +# .*/, "", command)
  sub(/ +$/, "", command)
  print block "\t" command
}

/^```/ { fenced = !fenced; inside = 0; next }
fenced || /^$/ { next }
/^    [^ ]/ {
  if (!inside) block++
  inside = 1
  tell(substr($0, 5))
  next
}
{ inside = 0 }
/^\| .* \| the line \|$/ { table = 1; next }
!/^\|/ { table = 0 }
table && match($0, /\| `[^`]*`/) {
  block++
  tell(substr($0, RSTART + 3, RLENGTH - 4))
}
