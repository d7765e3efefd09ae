"""The lines of doc/editors.md start `ptxopt lsp`: the TOML is parsed; the Lua runs in Neovim without starting servers."""
import os
import re
import shutil
import subprocess

import client

STUBS = """
local function started(config) print(config.cmd and table.concat(config.cmd, ' ') or '?') end
vim.lsp = { start = started, start_client = started, buf_attach_client = function() end, buf = { hover = started },
  enable = function() end, config = function(_, config) started(config) end }
"""


def blocks(language):
    with open(os.path.join(client.SOURCE, "doc", "editors.md"), encoding="utf-8") as file:
        return re.findall(rf"```{language}\n(.*?)```", file.read(), re.S)


def starts(lua):
    """What Neovim would start for a buffer of the type."""
    done = subprocess.run(["nvim", "--headless", "--clean", "-n", "-c", "luafile /dev/stdin", "-c", "set ft=ptx", "-c", "qall!"],
                          input=(STUBS + lua).encode(), capture_output=True, timeout=client.PATIENCE)
    return done.stderr.decode().strip()


def main():
    if not client.chosen("recipes"):
        return
    name = "the recipe of doc/editors.md for Helix starts ptxopt lsp"
    try:
        import tomllib
        helix = [tomllib.loads(block) for block in blocks("toml")]
        found = [[server["command"], *server["args"]] for one in helix for server in one["language-server"].values()]
        client.verdict(name, [] if found == [["ptxopt", "lsp"]] else [str(found)])
    except ImportError:
        client.skip(name, "no tomllib here")
    name = "the recipes of doc/editors.md for Neovim start ptxopt lsp"
    if not shutil.which("nvim"):
        client.skip(name, "no nvim here")
        return
    found = [starts(block) for block in blocks("lua")]
    client.verdict(name, [] if found == ["ptxopt lsp"] * 3 else [str(found)])
