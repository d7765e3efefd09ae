#!/bin/sh
# Prints the page at / with the parts that the build embeds: the editor CodeMirror 5, if its folder exists,
# and the examples.
# usage: page.sh PAGE CODEMIRROR_FOLDER EXAMPLE.ptx...
set -eu
page=$1 folder=$2
shift 2
styles="lib/codemirror.css addon/dialog/dialog.css"
scripts="lib/codemirror.js addon/mode/simple.js addon/selection/active-line.js addon/dialog/dialog.js
addon/search/searchcursor.js addon/search/search.js"

embed_editor() {
  for file in $styles $scripts; do [ -r "$folder/$file" ] || return 0; done
  echo "<!--"
  cat "$(dirname "$page")/codemirror.txt"
  echo "-->"
  echo "<style>"
  for file in $styles; do cat "$folder/$file"; done
  echo "</style>"
  for file in $scripts; do
    echo "<script>"
    sed '/^ *\/\//d' "$folder/$file" # lines that are comments
    echo "</script>"
  done
}

embed_examples() {
  for file; do
    echo "<script type=\"text/plain\" class=\"example\" data-name=\"$(basename "$file" .ptx)\">"
    cat "$file"
    echo "</script>"
  done
}

while IFS= read -r line; do
  case $line in
  "<!-- editor -->") embed_editor ;;
  "<!-- examples -->") embed_examples "$@" ;;
  *) printf '%s\n' "$line" ;;
  esac
done <"$page"
