# Reads lines FILE:NUMBER:TEXT with comments and strings blanked, and prints each function that two files define, as
# "NAME: FILES". A file NAME_none.c replaces NAME.c if a library is absent; every program has a main.
function define(name, file, as) {
  as = file
  sub(/_none\.c$/, ".c", as)
  if (name == "main" || (name, as) in seen) return
  seen[name, as]
  files[name] = files[name] (files[name] == "" ? "" : " and ") file
  count[name]++
}
{
  split($0, part, ":")
  file = part[1]
  text = substr($0, length(part[1]) + length(part[2]) + 3)
  if (file != last) { last = file; head = "" }
}
text == "{" {
  gsub(/__attribute__[ ]*\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "", head)
  if (match(head, /[A-Za-z_][A-Za-z0-9_]*\(/)) define(substr(head, RSTART, RLENGTH - 1), file)
}
# On one line, where clang-format is off.
text ~ /^[A-Za-z_].*[A-Za-z0-9_]\([^{;]*\) *\{.*\}$/ {
  one = text
  sub(/\{.*/, "", one)
  if (match(one, /[A-Za-z_][A-Za-z0-9_]*\(/)) define(substr(one, RSTART, RLENGTH - 1), file)
}
text ~ /^[A-Za-z_]/ { head = text; next }
text ~ /^[ \t]/ { head = head text; next }
{ head = "" }
END { for (name in count) if (count[name] > 1) print name ": defined in " files[name] "; expected a name that says whose it is, as FILE_" name }
