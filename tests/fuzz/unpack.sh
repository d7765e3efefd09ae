#!/usr/bin/env bash
# unpack.sh FILE FOLDER: each seed of FILE as FOLDER/NAME. A seed is the lines below "==== NAME", as printf %b takes
# them: \xNN is a byte, \\ a backslash, \c says that no newline follows.
set -euo pipefail
mkdir -p "$2"
name='' text=''
write() { [ -z "$name" ] || printf '%b' "$text" >"$1/$name"; }
while IFS= read -r line; do
  case $line in
    '==== '*) write "$2"; name=${line#==== } text='' ;;
    *) text+=$line$'\n' ;;
  esac
done <"$1"
write "$2"
