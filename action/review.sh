#!/usr/bin/env bash
# Reports what ptxopt finds in the PTX of a build, for a pull request; action.yml runs it, and any other CI can.
#   PTXOPT         the program (ptxopt)
#   INPUT_PTX      files and folders with the PTX, separated by blanks or line ends; a file that is not PTX is a warning
#   INPUT_OPTIONS  more options of ptxopt
#   INPUT_FIX      true: also make a patch with the corrections of lint, and show it in the summary
#   INPUT_UPLOAD   true: SARIF will be uploaded; otherwise the findings are annotations of this step
# GitHub sets GITHUB_WORKSPACE, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT and RUNNER_TEMP to its files and folders.
# Exit status: 0 reviewed, whatever was found; otherwise that of ptxopt.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
read -r -d '' -a kernels <<<"$INPUT_PTX" || true
read -r -d '' -a options <<<"${INPUT_OPTIONS:-}" || true
if [ "${#kernels[@]}" = 0 ]; then
  echo "::error title=ptxopt::no PTX is named: set ptx to the files or folders that the build leaves it in"
  exit 2
fi

found=$RUNNER_TEMP/ptxopt-ptx.sarif placed=$RUNNER_TEMP/ptxopt.sarif summary=$RUNNER_TEMP/ptxopt.md
status=0
"${PTXOPT:-ptxopt}" "${options[@]}" --check --keep-going --report "sarif=$found" --report "markdown=$summary" -- "${kernels[@]}" || status=$?
[ "$status" -le 1 ] || exit "$status"
cat "$summary" >>"$GITHUB_STEP_SUMMARY"

python3 "$here/cuda_lines.py" "$GITHUB_WORKSPACE" <"$found" >"$placed"
if [ "${INPUT_UPLOAD:-}" != true ]; then
  python3 "$here/cuda_lines.py" --annotations "$GITHUB_WORKSPACE" <"$found" 2>/dev/null
fi
if [ "${INPUT_FIX:-}" = true ]; then
  patch=$RUNNER_TEMP/ptxopt-fix.patch
  status_of_fix=0
  "${PTXOPT:-ptxopt}" --lint --fix --check --keep-going --report "diff=$patch" -- "${kernels[@]}" 2>"$patch.said" || status_of_fix=$?
  [ "$status_of_fix" -le 1 ] || { cat "$patch.said" >&2; exit "$status_of_fix"; }
  if grep -qE ': (not )?fixed: ' "$patch.said"; then
    {
      printf '\n### ptxopt --lint --fix\n\n```\n'
      grep -E ': (not )?fixed: ' "$patch.said"
      printf '```\n\n```diff\n'
      cat "$patch"
      printf '```\n'
    } >>"$GITHUB_STEP_SUMMARY"
  fi
  printf 'patch=%s\n' "$patch" >>"$GITHUB_OUTPUT"
fi
printf 'sarif=%s\nredundant=%s\n' "$placed" "$([ "$status" = 1 ] && echo true || echo false)" >>"$GITHUB_OUTPUT"
