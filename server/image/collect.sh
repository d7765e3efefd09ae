#!/usr/bin/env bash
# collect.sh PROGRAM FOLDER: makes FOLDER the root of an image of ptxoptd: the program, the libraries that it loads, the
# system's authorities. A static ptxoptd cannot be: Debian's libcurl needs libraries that are not there as archives.
set -euo pipefail
program=$1 folder=$2
rm -rf "$folder"
install -D -m 0755 "$program" "$folder/usr/sbin/ptxoptd"
strip "$folder/usr/sbin/ptxoptd"
# Of a line "NAME => PATH (ADDRESS)" the path, and that of the loader, which has no arrow.
ldd "$program" | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' | sort -u | while read -r library; do
  install -D -m 0755 "$library" "$folder$library"
done
if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
  install -D -m 0644 /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/ca-certificates.crt"
fi
printf 'root:x:0:0::/:\nnobody:x:65534:65534::/:\n' | install -D -m 0644 /dev/stdin "$folder/etc/passwd"
