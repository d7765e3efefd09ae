#!/usr/bin/env bash
# The GitHub Action: its steps, as action.yml has them (action/steps.py), in a repository with a kernel that was
# compiled with -lineinfo; see commands.sh. In each cmd the function repository makes the current folder a
# repository, with an empty RUNNER_TEMP, and steps runs the action in it; other functions are below.
set -u
. "$SRCDIR/tests/tap.sh"
. "$SRCDIR/tests/commands.sh"
command -v git >/dev/null || skip_all "no git here"
python3 -c 'import sys, yaml; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || skip_all "no python 3.9 with yaml here"

repository() {
  rm -rf "$RUNNER_TEMP"
  mkdir "$RUNNER_TEMP"
  git -c init.defaultBranch=main init -q
  mkdir -p kernels/gemm-lineinfo build
  cp "$SRCDIR/examples/gemm-lineinfo/gemm-lineinfo.cu" kernels/gemm-lineinfo/
  cp "$SRCDIR/examples/common.cuh" kernels/
  cp "$SRCDIR/examples/gemm-lineinfo/gemm-lineinfo.ptx" build/
  chmod -R u+w .
  git add kernels
}
# In the output the folder for temporary files is replaced by its name.
steps() {
  local status=0
  python3 "$SRCDIR/tests/action/steps.py" "$@" >"$RUNNER_TEMP/said" || status=$?
  sed "s|$RUNNER_TEMP|TEMP|g" "$RUNNER_TEMP/said"
  return $status
}
# finding KIND LINE FRAME...: prints a result of a SARIF for cuda_lines.py; a frame is two words, FILE LINE, the innermost first.
finding() {
  local frames
  frames=$(printf ',{"location":{"physicalLocation":{"artifactLocation":{"uri":"%s"},"region":{"startLine":%s}}}}' \
    "${@:3}" | tail -c +2)
  printf '{"ruleId":"wait-idle","ruleIndex":0,"kind":"%s","level":"warning","message":{"text":"It is idle."},"properties":{"brief":"wait::ld redundant"},
    "locations":[{"physicalLocation":{"artifactLocation":{"uri":"k.ptx"},"region":{"startLine":%s}}}],
    "partialFingerprints":{"ptxopt/v1":"%s"},"stacks":[{"frames":[%s]}]}' "$1" "$2" "$2" "$frames"
}
# placed FINDING...: prints the places of the findings.
placed() {
  local IFS=,
  echo "{\"runs\":[{\"results\":[$*]}]}" | python3 "$SRCDIR/action/cuda_lines.py" --annotations .
}
# program_of_a_release: no ptxopt is on PATH, and gh is a script from standard input.
program_of_a_release() {
  local bin=$RUNNER_TEMP/bin tool
  unset PTXOPT
  mkdir -p "$bin"
  for tool in bash cat cp dirname env git gzip head mkdir sed sh sha256sum tar uname xz; do
    ln -s "$(command -v "$tool")" "$bin/$tool"
  done
  cat >"$bin/gh"
  # python3 may be a script of pyenv, or that of a venv.
  printf '#!/bin/sh\nexec %s "$@"\n' "$(python3 -c 'import sys; print(sys.executable)')" >"$bin/python3"
  chmod +x "$bin/gh" "$bin/python3"
  PATH=$bin
}
export -f repository steps finding placed program_of_a_release
export PTXOPT RUNNER_TEMP=$scratch/runner
run_commands action

what="the workflow of action/README.md is understood"
if chosen action/readme; then
  mkdir "$scratch/readme"
  sed -n '/^```yaml$/,/^```$/{/^```/d;p;}' "$SRCDIR/action/README.md" | sed -n '/^name: /,/^repos:/p' | sed '/^repos:/d' >"$scratch/workflow"
  mapfile -t inputs < <(python3 - "$scratch/workflow" <<'END'
import sys, yaml
(step,) = [step for job in yaml.safe_load(open(sys.argv[1]))["jobs"].values() for step in job["steps"] if "with" in step]
print(*(f"{name}={value}" for name, value in step["with"].items()), sep="\n")
END
  )
  (cd "$scratch/readme" && repository && steps "${inputs[@]}" ptxopt="$PTXOPT") >"$scratch/log" 2>&1
  if [ "${#inputs[@]}" -gt 0 ] && grep -qx 'redundant=true' "$scratch/log"; then ok "$what"; else
    comment "$scratch/log"
    not_ok "$what"
  fi
fi

what="what is uploaded is SARIF"
if ! chosen action/schema; then :
elif ! python3 -c 'import jsonschema' 2>/dev/null; then skip "$what" "no python3-jsonschema here"
else
  (mkdir "$scratch/dir2" && cd "$scratch/dir2" && repository && steps ptx=build ptxopt="$PTXOPT") >"$scratch/log" 2>&1
  if python3 - "$SRCDIR/tests/report/sarif.schema.json" "$RUNNER_TEMP/ptxopt.sarif" >>"$scratch/log" 2>&1 <<'END'
import json, sys, jsonschema
schema, log = (json.load(open(name)) for name in sys.argv[1:])
jsonschema.Draft202012Validator(schema).validate(log)
assert len(log["runs"][0]["results"]) == 1
END
  then ok "$what"; else
    comment "$scratch/log"
    not_ok "$what"
  fi
fi
finish
