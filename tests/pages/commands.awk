# Prints the command lines of a page of Markdown without their comments, each after the number of its block. A block is
# indented and follows a blank line (blank lines in it do not end it), or is a row of a table with the column "the line", in
# which the first code counts. In a manual (doc/man), prints the lines between .EX and .EE.
function tell(command) {
  sub(/  +# .*/, "", command)
  sub(/ +$/, "", command)
  print block "\t" command
}

/^\.EX$/ { block++; manual = 1; next }
/^\.EE$/ { manual = 0; next }
manual {
  gsub(/\\-/, "-")
  tell($0)
  next
}
/^```/ { fenced = !fenced; inside = 0; next }
/^$/ { blank = 1; next }
{ behind_blank = blank; blank = 0 }
fenced { next }
/^    [^ ]/ && (inside || behind_blank) {
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
