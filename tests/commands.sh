# shellcheck shell=bash disable=SC2154
# Commands and what they must do: source it behind tap.sh, and call run_commands. A case is a folder:
#   cmd             shell, run in an empty folder; $CASE is the case's folder
#   stdin           its standard input (empty without)
#   stdout stderr   exactly what it must print (nothing without)
#   status          its exit status (0 without)
#   files/          files that must stand in the folder afterwards, with this content
# The digest of this build (see src/local.mk) reads BUILD in what is printed.
build=$(sed -n 's/.*PTXOPT_BUILD "\(.*\)"/\1/p' "$BUILDDIR/src/base/build.h")

# check STREAM: what it printed is what the case says.
check() {
  local want=$CASE/$1
  if [ ! -e "$want" ]; then
    [ -s "$scratch/$1" ] || return 0
    if [ -n "${UPDATE:-}" ]; then : >"$want"; else want=/dev/null; fi
  fi
  same "$1" "$want" "$scratch/$1"
}

run_case() {
  local good=0 status=0 want_status=0 input=/dev/null file
  rm -rf "$scratch/dir"
  mkdir "$scratch/dir"
  [ ! -e "$CASE/stdin" ] || input=$CASE/stdin
  [ ! -e "$CASE/status" ] || read -r want_status <"$CASE/status"
  (cd "$scratch/dir" && limited bash "$CASE/cmd") \
    <"$input" >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
  sed -i "s/$build/BUILD/g" "$scratch/stdout" "$scratch/stderr"
  if [ "$status" != "$want_status" ]; then
    echo "# status: expected $want_status, got $status"
    if [ -z "${UPDATE:-}" ] || ! echo "$status" >"$CASE/status"; then good=1; fi
  fi
  check stdout || good=1
  check stderr || good=1
  if [ -d "$CASE/files" ]; then
    while IFS= read -r file; do
      if [ -e "$scratch/dir/$file" ]; then
        same "$file" "$CASE/files/$file" "$scratch/dir/$file" || good=1
      else
        echo "# $file is not there"
        good=1
      fi
    done < <(cd "$CASE/files" && find . -type f -printf '%P\n' | sort)
  fi
  return $good
}

# run_commands FOLDER: all cases below tests/FOLDER.
run_commands() {
  for CASE in "$SRCDIR/tests/$1"/*/; do
    CASE=${CASE%/}
    [ -e "$CASE/cmd" ] && chosen "$1/${CASE##*/}" || continue
    export CASE
    if run_case; then ok "${CASE##*/}"; else not_ok "${CASE##*/}"; fi
  done
}
