#!/usr/bin/env bash
# unpack.sh FILE FOLDER: writes each seed of FILE as FOLDER/NAME. A seed consists of the lines below "==== NAME", in
# the notation of printf %b: \xNN is a byte, \\ a backslash, \c means that no newline follows.
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
