#!/usr/bin/env bash
# tree-sitter-ptx for Rust, Node, Go and Swift: built from the archive that its package manager would publish, and used by
# a program that parses a kernel. Nothing is fetched: each is skipped where its toolchain is missing.
# CARGO_REGISTRY is a folder of crates, as Debian's librust-*-dev packages lay them.
set -u
. "$SRCDIR/tests/tap.sh"

programs=$SRCDIR/tests/grammar/bindings
kernel=$SRCDIR/examples/gemm-1cta/gemm-1cta.ptx
registry=${CARGO_REGISTRY:-/usr/share/cargo/registry}
package=$scratch/tree-sitter-ptx
have() { command -v "$1" >/dev/null; }

# Files that a build writes into the folder belong to no archive.
cp -R "$SRCDIR/tree-sitter-ptx" "$package"
chmod -R u+w "$package"
mkdir -p "$package/src/.libs"
touch "$package/src/parser.o" "$package/src/.libs/parser.o" "$package/tree-sitter-ptx.pc"

# holds NAME FILE: passes if the files of an archive, a line each in FILE, are those of tests/grammar/bindings/NAME.files.
holds() {
  LC_ALL=C sort "$2" >"$scratch/$1.files"
  if same "$1" "$programs/$1.files" "$scratch/$1.files"; then ok "the $1 holds what it needs and nothing else"
  else not_ok "the $1 holds what it needs and nothing else"; fi
}

# tried WHAT COMMAND...: a case that passes if the command succeeds.
tried() {
  if "${@:2}" >"$scratch/log" 2>&1 </dev/null; then
    ok "$1"
  else
    tail -n 20 "$scratch/log" | comment -
    not_ok "$1"
  fi
}

# ---- Rust ----

rust() (
  export CARGO_HOME=$scratch/cargo CARGO_TARGET_DIR=$scratch/target CARGO_PROFILE_DEV_DEBUG=0
  mkdir -p "$CARGO_HOME"
  printf '[source.crates-io]\nreplace-with = "here"\n[source.here]\ndirectory = "%s"\n' "$registry" >"$CARGO_HOME/config.toml"
  cd "$package" && cargo package --quiet --offline --allow-dirty --no-verify &&
    tar -xf "$CARGO_TARGET_DIR"/package/tree-sitter-ptx-*.crate -C "$scratch" &&
    cd "$scratch"/tree-sitter-ptx-[0-9]* && limited cargo test --offline
)

if ! have cargo || ! cargo --version >/dev/null 2>&1; then
  skip "Rust" "no cargo here"
else
  (cd "$package" && CARGO_HOME=$scratch/cargo cargo package --list --offline --allow-dirty 2>"$scratch/log") |
    grep -vE '^(Cargo\.lock|Cargo\.toml\.orig|\.cargo_vcs_info\.json)$' >"$scratch/list"
  holds crate "$scratch/list"
  if compgen -G "$registry/tree-sitter-language-*" >/dev/null; then
    tried "the crate is built from its archive, and its tests parse" rust
  else
    skip "the crate is built from its archive" "no crate tree-sitter-language in $registry"
  fi
fi

# ---- Node ----

node_headers() { [ -e "$(node -p 'require("path").resolve(process.execPath, "..", "..")')/include/node/node_api.h" ]; }
node_parses() (
  prefix=$(node -p 'require("path").resolve(process.execPath, "..", "..")')
  mkdir -p "$scratch/node" && cd "$scratch/node" || return 1
  # shellcheck disable=SC2046 # flags are words
  echo '{}' >package.json &&
    limited npm install --offline --no-audit --no-fund --no-update-notifier --nodedir="$prefix" "$scratch"/tree-sitter-ptx-*.tgz &&
    cc -shared -fPIC -I"$prefix/include/node" "$programs/node/parse.c" $(pkg-config --cflags --libs tree-sitter) -o parse.node &&
    node "$programs/node/try.js" parse.node "$kernel" &&
    node --test node_modules/tree-sitter-ptx/bindings/node/binding_test.js
)

if ! have npm || ! have node; then
  skip "Node" "no npm here"
else
  export npm_config_cache=$scratch/npm
  (cd "$scratch" && npm pack --silent --offline "$package" >"$scratch/log" 2>&1)
  tar -tf "$scratch"/tree-sitter-ptx-*.tgz | sed 's|^package/||' >"$scratch/list"
  holds npm-package "$scratch/list"
  if ! node_headers; then skip "the npm package is built and parses" "Node has no headers here"
  elif ! have pkg-config || ! pkg-config --exists tree-sitter; then skip "the npm package is built and parses" "no libtree-sitter"
  else tried "npm installs the package from its archive, and Node parses a kernel by it" node_parses; fi
fi

# ---- Go ----

# Makes the module as a Go proxy would serve it, in a folder.
go_proxy() {
  python3 - "$package" "$scratch/proxy" <<'PY'
import pathlib
import sys
import zipfile

package, proxy = map(pathlib.Path, sys.argv[1:])
module = (package / "go.mod").read_text().split()[1]
version = "v0.1.0"
folder = proxy / "".join("!" + c.lower() if c.isupper() else c for c in module) / "@v"
folder.mkdir(parents=True)
(folder / "list").write_text(version + "\n")
(folder / f"{version}.info").write_text('{"Version": "%s"}' % version)
(folder / f"{version}.mod").write_bytes((package / "go.mod").read_bytes())
with zipfile.ZipFile(folder / f"{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for file in sorted(package.rglob("*")):
        if file.is_file():
            archive.write(file, f"{module}@{version}/{file.relative_to(package)}")
PY
}
go_parses() (
  export GOPATH=$scratch/gopath GOCACHE=$scratch/gocache GOPROXY=file://$scratch/proxy GOSUMDB=off GOTOOLCHAIN=local
  export GOFLAGS=-modcacherw
  mkdir -p "$scratch/go" && cd "$scratch/go" && go_proxy &&
    cp "$programs/go/main.go" "$programs/parses.h" . &&
    go mod init try && limited go get "$(sed -n 's/^module //p' "$package/go.mod")@v0.1.0" &&
    limited go build -o try . && ./try "$kernel" &&
    cd "$GOPATH"/pkg/mod/github.com/*/ptxopt/tree-sitter-ptx@* && limited go test ./...
)
if ! have go; then skip "the Go module is built and parses" "no go here"
elif ! have pkg-config || ! pkg-config --exists tree-sitter; then skip "the Go module is built and parses" "no libtree-sitter"
else tried "go takes the module from its archive, and parses a kernel by it" go_parses; fi

# ---- Swift ----

swift_parses() (
  cp -R "$programs/swift" "$scratch/swift" && chmod -R u+w "$scratch/swift" && cd "$scratch/swift" &&
    cp "$programs/parses.h" Sources/CTreeSitter && export HOME=$scratch && limited swift build &&
    .build/debug/Try "$kernel"
)
if ! have swift || ! swift --version 2>/dev/null | grep -q '^Swift version'; then
  skip "the Swift package is built and parses" "no swift here"
else
  tried "swift builds the package, and parses a kernel by it" swift_parses
fi
finish
