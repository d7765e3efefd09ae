# Finds C files and READMEs whose head is a question, and prints "FILE: QUESTION Expected …". The head is the comment at the
# beginning of a file, or the first paragraph of a README.
function judge() {
  if (!match(head, /[^.:;]*\?( |$)/)) return
  head = substr(head, RSTART, RLENGTH)
  gsub(/^ | $/, "", head)
  print name ": " head " Expected a sentence: what the file is responsible for"
}
function end_file() {
  if (name != "" && state != "done") judge()
}
FNR == 1 {
  end_file()
  name = FILENAME
  head = ""
  readme = FILENAME ~ /\.md$/
  state = readme || /^\/\*/ ? "in" : "done"
}
state == "done" { next }
readme && /^#/ { next }
readme && /^$/ && head == "" { next }
readme && /^$/ { judge(); state = "done"; next }
{
  line = $0
  ends = !readme && sub(/ *\*\/.*/, "", line)
  sub(/^ *\/?\*+ */, "", line)
  head = head (head == "" ? "" : " ") line
  if (ends) { judge(); state = "done" }
}
END { end_file() }
