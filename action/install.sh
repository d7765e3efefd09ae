#!/usr/bin/env bash
# Puts ptxopt on PATH for the steps of action.yml, unless PATH has one: the static program of the release
# of the action.
#   PTXOPT                         a program to use instead
#   ACTION_REPOSITORY, ACTION_REF  the repository of the action, and its tag
set -euo pipefail
if command -v "${PTXOPT:-ptxopt}" >/dev/null; then
  "${PTXOPT:-ptxopt}" --version | head -n 1
  exit
fi
give_up() {
  echo "::error title=ptxopt::$1: use the action by the tag of a release (@v0.1.0), or install ptxopt before it"
  exit 1
}
[ -z "${PTXOPT:-}" ] || give_up "there is no program $PTXOPT"
machine=$(uname -m)
folder=$RUNNER_TEMP/ptxopt-program
mkdir -p "$folder"
cd "$folder"
gh release download "$ACTION_REF" --repo "$ACTION_REPOSITORY" --clobber \
  --pattern "ptxopt-*-linux-$machine.tar.xz" --pattern SHA256SUMS ||
  give_up "release $ACTION_REF of $ACTION_REPOSITORY has no program for $machine"
sha256sum --check --strict --ignore-missing SHA256SUMS
tar -xf ptxopt-*-linux-"$machine".tar.xz --strip-components=1
echo "$folder/bin" >>"$GITHUB_PATH"
bin/ptxopt --version | head -n 1
