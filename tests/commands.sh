# shellcheck shell=bash disable=SC2154
# Commands and what they must do: source it after tap.sh, and call run_commands. tests/FOLDER/SUBJECT.cases has
# cases, an empty line between two:
#   ==== NAME         and below it the command: shell, run in an empty folder
#   ---- stdin        its standard input (empty without)
#   ---- stdout, ---- stderr
#                     exactly what it must print (nothing without)
#   ---- status N     its exit status (0 without)
#   ---- files/FILE   a file that must be in the folder afterwards, with this content
#   ---- FILE         another file: the command finds it as $CASE/FILE
# ", without a newline at its end" may follow a name. $INPUTS is the folder of kernels tests/cli/inputs.
# In the output the digest of this build (see src/local.mk) is replaced by BUILD.
build=$(sed -n 's/.*PTXOPT_BUILD "\(.*\)"/\1/p' "$BUILDDIR/src/base/build.h")

# check STREAM: compares the output on it with the expected one.
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

# Has a folder for each case while its file is run.
commands=$scratch.commands
trap 'rm -rf "$scratch" "$commands"' EXIT
INPUTS=$SRCDIR/tests/cli/inputs
export INPUTS

# split_cases FILE: writes each case into $commands/NAME: cmd, and a file for each other part.
split_cases() {
  rm -rf "$commands"
  sed -n "s|^==== |$commands/|p" "$1" | tr '\n' '\0' | xargs -0 mkdir -p
  awk -v folder="$commands" '
    function put(line) { if (n++) printf "\n" >file; printf "%s", line >file }
    function begin(name) {
      end()
      unended = sub(/, without a newline at its end$/, "", name)
      file = folder "/" case_name "/" name
      if (name ~ /\//) { parent = file; sub(/\/[^\/]*$/, "", parent); system("mkdir -p \"" parent "\"") }
      n = 0
      printf "" >file
    }
    function end() {
      if (file == "") return
      for (; blank > between; blank--) put("")
      if (n && !unended) printf "\n" >file
      close(file)
      file = ""; blank = 0
    }
    /^==== / { between = 1; end(); between = 0; case_name = substr($0, 6); begin("cmd"); next }
    /^---- status / { begin("status"); put($3); next }
    /^---- / { begin(substr($0, 6)); next }
    file == "" { next }
    /^$/ { blank++; next }
    { for (; blank; blank--) put(""); put($0) }
    END { end() }' "$1"
}

# part FILE NAME: prints a part in the form of the file of cases.
part() {
  if [ -s "$1" ] && [ -n "$(tail -c 1 "$1")" ]; then
    printf -- '---- %s, without a newline at its end\n' "$2"
    cat "$1"
    echo
  else
    printf -- '---- %s\n' "$2"
    cat "$1"
  fi
}

# join_cases FILE: writes the file again, from $commands.
join_cases() {
  local name names file separate=
  mapfile -t names < <(sed -n 's/^==== //p' "$1")
  sed '/^==== /,$d' "$1" >"$scratch/joined"
  for name in "${names[@]}"; do
    cd "$commands/$name" || exit 1
    [ -z "$separate" ] || echo
    separate=yes
    echo "==== $name"
    cat cmd
    find . -type f -printf '%P\n' | grep -vxE 'cmd|stdin|stdout|stderr|status|files/.*' | sort |
      while IFS= read -r file; do part "$file" "$file"; done
    for file in stdin stdout stderr; do [ ! -s "$file" ] || part "$file" "$file"; done
    [ ! -e status ] || echo "---- status $(cat status)"
    [ ! -d files ] || find files -type f | sort | while IFS= read -r file; do part "$file" "$file"; done
  done >>"$scratch/joined"
  cmp -s "$scratch/joined" "$1" || cat "$scratch/joined" >"$1"
}

# run_commands FOLDER: runs all cases of the files of tests/FOLDER.
run_commands() {
  local file subject names
  for file in "$SRCDIR/tests/$1"/*.cases; do
    subject=$1/$(basename "$file" .cases)
    mapfile -t names < <(sed -n 's/^==== //p' "$file" | while IFS= read -r name; do
      ! chosen "$subject:$name" || echo "$name"
    done)
    [ "${#names[@]}" -gt 0 ] || continue
    split_cases "$file"
    for name in "${names[@]}"; do
      export CASE=$commands/$name
      if run_case; then ok "$subject:$name"; else not_ok "$subject:$name"; fi
    done
    [ -z "${UPDATE:-}" ] || (join_cases "$file")
  done
}
