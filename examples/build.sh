#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Regenerates every NAME/NAME.ptx from NAME/NAME.cu and lets ptxas check it.
# Without nvcc nothing is done and nothing is wrong: the .ptx files are in the tree.
set -eu
cd "$(dirname "$0")"

if ! command -v nvcc >/dev/null 2>&1; then
    echo "build.sh: no nvcc on PATH, the .ptx files stay as they are"
    exit 0
fi

here=$(pwd -P)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for source in */*.cu; do
    name=${source%%/*}
    case $name in
    *-lineinfo) flags=-lineinfo ;;
    *) flags= ;;
    esac
    # shellcheck disable=SC2086  # flags may be empty
    nvcc -arch=sm_100a -O3 $flags -ptx "$source" -o "$tmp/$name.ptx"
    # nvcc writes absolute names into .file whatever it was given: make them relative.
    sed "/^[[:space:]]*\.file[[:space:]]/s|\"$here/|\"|" "$tmp/$name.ptx" >"$tmp/relative.ptx"
    if grep -nE '^[[:space:]]*\.file[[:space:]].*"/' "$tmp/relative.ptx"; then
        echo "build.sh: $source: absolute path in .file" >&2
        exit 1
    fi
    if command -v ptxas >/dev/null 2>&1; then
        ptxas -arch=sm_100a "$tmp/relative.ptx" -o "$tmp/$name.cubin"
    fi
    # An unchanged file keeps its time.
    if ! cmp -s "$tmp/relative.ptx" "$name/$name.ptx"; then
        cp "$tmp/relative.ptx" "$name/$name.ptx"
        echo "$name/$name.ptx: written"
    else
        echo "$name/$name.ptx: unchanged"
    fi
done
