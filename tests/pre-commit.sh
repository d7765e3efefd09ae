#!/usr/bin/env bash
# The hooks of .pre-commit-hooks.yaml, run by pre-commit in a user's repository with a kernel.
set -u
. "$SRCDIR/tests/tap.sh"
command -v git >/dev/null || skip_all "no git here"
command -v pre-commit >/dev/null || skip_all "no pre-commit here"
kernel=$SRCDIR/examples/gemm-1cta/gemm-1cta
export HOME=$scratch/home PRE_COMMIT_HOME=$scratch/cache GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.example GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.example
mkdir -p "$scratch/hooks" "$scratch/theirs" "$HOME" "$scratch/bin"
ln -s "$PTXOPT" "$scratch/bin/ptxopt"
PATH=$scratch/bin:$PATH

if pre-commit validate-manifest "$SRCDIR/.pre-commit-hooks.yaml" >"$scratch/log" 2>&1; then ok "pre-commit understands the hooks"; else
  comment "$scratch/log"
  not_ok "pre-commit understands the hooks"
fi
cp "$SRCDIR/.pre-commit-hooks.yaml" "$scratch/hooks/"
(cd "$scratch/hooks" && git init -q && git add . && git commit -q -m hooks) || exit 1
cd "$scratch/theirs" && git init -q || exit 1

# hook ID: runs it on all files that git has.
hook() {
  printf 'repos:\n- repo: %s\n  rev: %s\n  hooks: [{id: %s}]\n' "$scratch/hooks" \
    "$(git -C "$scratch/hooks" rev-parse HEAD)" "$1" >.pre-commit-config.yaml
  git add .
  pre-commit run --all-files --color never >"$scratch/log" 2>&1
}
# expect WHAT STATUS TEXT: compares the exit status of the last hook, and looks for TEXT in its output.
expect() {
  if [ "$status" = "$2" ] && grep -qF -- "$3" "$scratch/log"; then ok "$1"; else
    echo "# status $status, expected $2 and: $3"
    comment "$scratch/log"
    not_ok "$1"
  fi
}

cp "$kernel.ptx" 'a kernel.ptx'
chmod u+w 'a kernel.ptx'
echo 'tcgen05.wait::ld.sync.aligned;' >notes.txt
status=0
hook ptxopt-check || status=$?
expect "ptxopt-check fails and names what is redundant" 1 "a kernel.ptx:289:2"
if cmp -s "$kernel.ptx" 'a kernel.ptx'; then ok "ptxopt-check changes nothing"; else not_ok "ptxopt-check changes nothing"; fi
status=0
hook ptxopt || status=$?
expect "ptxopt fails once" 1 "files were modified by this hook"
if becomes "$kernel" 'a kernel.ptx'; then ok "ptxopt deletes it"; else not_ok "ptxopt deletes it"; fi
for id in ptxopt ptxopt-check; do
  status=0
  hook "$id" || status=$?
  expect "$id passes what it has deleted from" 0 "Passed"
done
finish
