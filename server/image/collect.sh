#!/usr/bin/env bash
# collect.sh PROGRAM FOLDER: makes FOLDER the root of an image of ptxoptd: the program, the libraries that it loads, the
# certificates of the system's authorities. ptxoptd cannot be static: Debian's libcurl needs libraries that have no archives.
set -euo pipefail
program=$1 folder=$2
rm -rf "$folder"
install -D -m 0755 "$program" "$folder/usr/sbin/ptxoptd"
strip "$folder/usr/sbin/ptxoptd"
# Prints the path in each line "NAME => PATH (ADDRESS)", and that of the loader, which has no arrow.
ldd "$program" | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' | sort -u | while read -r library; do
  install -D -m 0755 "$library" "$folder$library"
done
if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
  install -D -m 0644 /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/ca-certificates.crt"
fi
printf 'root:x:0:0::/:\nnobody:x:65534:65534::/:\n' | install -D -m 0644 /dev/stdin "$folder/etc/passwd"
