# The names of the cases in files of many cases (see README.md), each after its file's name: a function's with - for _,
# a section's, or those of a template's variants. Where it is read is case_file.c, too.
function flush(  i) {
  if (name == "") return
  if (!count) print file ":" name
  for (i = 1; i <= count; i++) print file ":" name ":" variants[i]
  name = ""
}
function forget() { count = 0; split("", seen) }
FNR == 1 { flush(); forget(); file = FILENAME; sub(/^tests\//, "", file); sub(/\.ptx$/, "", file); sections = 0 }
/^\/\/\/\/ / {
  flush(); forget(); sections = 1
  if (!/: output$/) name = substr($0, 6)
  next
}
!sections && /^(\.(visible|weak|extern) )*\.(entry|func) / {
  flush()
  head = $0
  sub(/^(\.(visible|weak|extern) )*\.(entry|func) +(\([^)]*\) *)?/, "", head); sub(/[( ].*/, "", head); gsub(/_/, "-", head)
  name = head
}
/^[ \t]*\/\/\| / {
  row = $0; sub(/^[ \t]*\/\/\| /, "", row); sub(/:.*/, "", row)
  n = split(row, names, ", ")
  for (i = 1; i <= n; i++) if (!(names[i] in seen)) { seen[names[i]] = 1; variants[++count] = names[i] }
}
!sections && $0 == "}" { flush(); forget() }
END { flush() }
