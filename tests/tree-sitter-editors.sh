#!/usr/bin/env bash
# Follows tree-sitter-ptx/editors/README.md: runs its commands, lets Neovim and Helix read its settings if they are
# installed, and compares the display with tests/grammar/editors. Its table of Helix's node names agrees with the
# grammar.
set -u
. "$SRCDIR/tests/tap.sh"

readme=$SRCDIR/tree-sitter-ptx/editors/README.md
cases=$SRCDIR/tests/grammar/editors
export HOME=$scratch/home XDG_DATA_HOME=$scratch/home/data XDG_CONFIG_HOME=$scratch/home/config
export XDG_STATE_HOME=$scratch/home/state XDG_CACHE_HOME=$scratch/home/cache
mkdir -p "$HOME" "$XDG_CONFIG_HOME/nvim"

# block LANGUAGE N: prints the Nth block of that language in the README.
block() {
  awk -v fence='```'"$1" -v wanted="$2" '
    inside && /^```$/ { inside = 0 }
    inside && number == wanted { print }
    $0 == fence { inside = 1; number++ }' "$readme"
}

# here N: runs the Nth block of commands, in the folder of the grammar.
here() (cd "$SRCDIR/tree-sitter-ptx" && block sh "$1" >"$scratch/commands" && bash -e "$scratch/commands" >"$scratch/log" 2>&1)

# sees WHAT FILE EXPECTED: passes if Neovim, with the init.lua of the README, highlights the file in this way.
sees() {
  limited nvim --headless -n -i NONE "$scratch/$2" -c "luafile $cases/captures.lua" -c 'cquit 1' </dev/null >"$scratch/out" 2>"$scratch/log"
  if [ -s "$scratch/out" ] && same "$2" "$cases/$3" "$scratch/out"; then
    ok "$1"
  else
    tail -n 10 "$scratch/log" | comment -
    not_ok "$1"
  fi
}

# ---- Neovim ----

cp "$cases/kernel.ptx" "$cases/asm.c" "$scratch"
if ! command -v nvim >/dev/null; then
  skip "Neovim" "no nvim here"
elif ! nvim --headless --clean -c 'if !has("nvim-0.10") | cquit 1 | endif' -c 'qall!' >/dev/null 2>&1; then
  skip "Neovim" "it is older than 0.10"
elif ! here 1; then
  comment "$scratch/log"
  not_ok "the commands for Neovim run"
else
  block lua 1 >"$XDG_CONFIG_HOME/nvim/init.lua"
  sees "Neovim highlights and folds a kernel" kernel.ptx kernel.out
  for query in "$SRCDIR"/tree-sitter-ptx/queries/*.scm; do
    name=$(basename "$query" .scm)
    if limited nvim --headless -n -i NONE -c "lua assert(vim.treesitter.query.get('ptx', '$name'))" -c 'qall!' </dev/null 2>&1 |
      tee "$scratch/log" | grep -q .; then
      comment "$scratch/log"
      not_ok "Neovim takes the query $name"
    else
      ok "Neovim takes the query $name"
    fi
  done
  # Neovim contains a parser for C: the parts that C does not have are removed.
  if ! nvim --headless --clean -c 'if !has("nvim-0.12") | cquit 1 | endif' -c 'qall!' >/dev/null 2>&1; then
    skip "Neovim highlights PTX in an asm statement" "it is older than 0.12"
  elif here 3; then
    mkdir -p "$XDG_CONFIG_HOME/nvim/after/queries/c"
    grep -v raw_string "$XDG_CONFIG_HOME/nvim/after/queries/cuda/injections.scm" >"$XDG_CONFIG_HOME/nvim/after/queries/c/injections.scm"
    echo 'vim.api.nvim_create_autocmd("FileType", { pattern = "c", callback = function() vim.treesitter.start() end })' \
      >>"$XDG_CONFIG_HOME/nvim/init.lua"
    sees "Neovim highlights PTX in an asm statement" asm.c asm.out
  else
    comment "$scratch/log"
    not_ok "the commands for PTX inside CUDA run"
  fi
  for branch in main master; do
    { echo 'RECIPE = function()'; block lua "$([ "$branch" = main ] && echo 2 || echo 3)"; echo 'end'; } >"$scratch/recipe.lua"
    if limited nvim --headless --clean -n -i NONE -c "luafile $scratch/recipe.lua" -c "luafile $cases/plugin.lua" -c 'cquit 1' \
      </dev/null 2>&1 | tee "$scratch/log" | grep -q '^found'; then
      ok "the recipe for nvim-treesitter's $branch finds the grammar"
    else
      comment "$scratch/log"
      not_ok "the recipe for nvim-treesitter's $branch finds the grammar"
    fi
  done
  if [ -d /usr/share/neovim-treesitter ]; then
    printf '.func f() {\nadd.s32 a,\n  b, c;\n  L:\nret;\n}\n' >"$scratch/indent.ptx"
    block lua 1 >"$XDG_CONFIG_HOME/nvim/init.lua"
    block lua 2 >>"$XDG_CONFIG_HOME/nvim/init.lua"
    limited nvim --headless -n -i NONE "$scratch/indent.ptx" -c 'set shiftwidth=4 expandtab' -c 'normal gg=G' -c 'wqall' \
      </dev/null >"$scratch/log" 2>&1
    if printf '.func f() {\n    add.s32 a,\n        b, c;\nL:\n    ret;\n}\n' | cmp -s - "$scratch/indent.ptx"; then
      ok "nvim-treesitter indents by indents.scm"
    else
      comment "$scratch/log"
      comment "$scratch/indent.ptx"
      not_ok "nvim-treesitter indents by indents.scm"
    fi
  fi
fi

# ---- Helix ----

hx=$(command -v hx || command -v helix || true)
if [ -z "$hx" ]; then
  skip "Helix" "no hx here"
elif ! command -v git >/dev/null; then
  skip "Helix" "no git here, without which it builds no grammar"
elif ! here 2; then
  comment "$scratch/log"
  not_ok "the commands for Helix run"
else
  block toml 1 | sed "s|/path/to/ptxopt|$SRCDIR|" >"$XDG_CONFIG_HOME/helix/languages.toml"
  limited "$hx" --grammar build >"$scratch/log" 2>&1
  limited "$hx" --health ptx 2>&1 | sed 's/\x1b\[[0-9;]*m//g' >"$scratch/health"
  for what in 'Tree-sitter parser' 'Highlight queries' 'Textobject queries' 'Indent queries'; do
    if grep -q "^$what: ✓" "$scratch/health"; then
      ok "Helix finds its ${what,,}"
    else
      comment "$scratch/log"
      comment "$scratch/health"
      not_ok "Helix finds its ${what,,}"
    fi
  done
  # selects WHAT KEYS TEXT: passes if TEXT is left after the keys are typed on the first operand and the selection is removed.
  selects() {
    printf '.func f() {\n    add.s32 a, b;\n}\n' >"$scratch/objects.ptx"
    if python3 "$cases/helix.py" "$hx" "$scratch/objects.ptx" "jfsfa$2d:wq" >"$scratch/log" 2>&1 &&
      printf "$3" | cmp -s - "$scratch/objects.ptx"; then
      ok "Helix selects $1"
    else
      tail -n 5 "$scratch/log" | comment -
      comment "$scratch/objects.ptx"
      not_ok "Helix selects $1"
    fi
  }
  selects "a function" maf '\n'
  selects "what is inside a function" mif '.func f() {\n    \n}\n'
  selects "an operand with its comma" maa '.func f() {\n    add.s32  b;\n}\n'
  selects "an operand" mia '.func f() {\n    add.s32 , b;\n}\n'
fi

# ---- the names of Helix's queries ----

# known NAME: whether it is a node of the grammar.
known() {
  echo "($1) @node" >"$scratch/node.scm"
  "$BUILDDIR/tests/grammar/captures" "$scratch/node.scm" >/dev/null 2>&1
}
sed -n '/^| node there/,$p' "$readme" | sed -n '3,$p' >"$scratch/table"
names() { grep -o '`[a-z_]*`' | tr -d '`'; }
while IFS='|' read -r _ there here _; do
  for name in $(names <<<"$there"); do
    if known "$name"; then same_name="the same"; else same_name=; fi
    case $here in
      *"the same"* | *"\`$name\`"*) wanted="the same" ;;
      *) wanted= ;;
    esac
    if [ "$same_name" = "$wanted" ]; then ok "Helix's $name is ${same_name:-another} here"
    else not_ok "Helix's $name is $wanted here"; fi
  done
  for name in $(names <<<"$here"); do
    case $name in
      name | kind) ;;
      *) if known "$name"; then ok "there is a node $name"; else not_ok "there is a node $name"; fi ;;
    esac
  done
done <"$scratch/table"
theirs=/usr/lib/hx/runtime/queries/ptx
if [ -d "$theirs" ]; then
  missing=$(cat "$theirs"/*.scm | grep -o '([a-z_]*)' | tr -d '()' | sort -u | while IFS= read -r name; do
    grep -q "\`$name\`" "$scratch/table" || echo "$name"
  done)
  if [ -z "$missing" ]; then ok "the table has every node of Helix's queries"
  else
    echo "# $missing"
    not_ok "the table has every node of Helix's queries"
  fi
fi
finish
