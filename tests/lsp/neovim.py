"""Neovim, headless: its client shows what ptxopt reports, and applies what ptxopt writes."""
import json
import os
import shutil
import subprocess
import tempfile

import client


def ptxopt(*arguments):
    return subprocess.run([client.PTXOPT, *arguments], capture_output=True, check=True).stdout


def read(*parts):
    with open(os.path.join(*parts), "rb") as file:
        return file.read()


def edit(folder, kernel):
    """Runs Neovim on the kernel; returns the files that it wrote."""
    path = os.path.join(folder, "kernel.ptx")
    shutil.copy(kernel, path)
    done = subprocess.run(["nvim", "--headless", "--clean", "-n", "-c",
                           "luafile " + os.path.join(client.SOURCE, "tests", "lsp", "neovim.lua"), "-c", "cquit 1", path],
                          env={**os.environ, "OUT": folder, "XDG_STATE_HOME": folder, "XDG_CACHE_HOME": folder,
                               "XDG_DATA_HOME": folder, "HOME": folder},
                          capture_output=True, timeout=300, cwd=folder)
    if done.returncode or not os.path.exists(os.path.join(folder, "left")):
        error = os.path.join(folder, "error")
        why = read(error) if os.path.exists(error) else done.stderr[-2000:]
        raise RuntimeError(f"status {done.returncode}: {why.decode()}")


def findings(path):
    report = json.loads(ptxopt("--parse=full", "-o", "/dev/null", "--report", "json=/dev/stdout", path))
    return [item for item in report["files"][0]["items"] if item["type"] == "edit"]


def judge(folder, kernel):
    hint = 4
    problems = []
    expected = sorted("{line}:{column}-{end_line}:{end_column} ".format(**item["location"]) + f"{hint} {item['rule']}"
                      for item in findings(kernel))
    found = read(folder, "diagnostics").decode().split("\n")
    if found != expected:
        problems.append(f"diagnostics {found}, expected {expected}")
    shown = read(folder, "hover").decode()
    first = findings(kernel)[0]
    for word in (first["isa"]["section"], first["id"], f"line {first['location']['line']}, removed"):
        if word not in shown:
            problems.append(f"hover says nothing of {word!r}: {shown!r}")
    one = read(folder, "id").decode()
    if read(folder, "quickfix.ptx") != ptxopt("--only", one, kernel):
        problems.append(f"the quick fix did not give what --only {one} gives")
    if read(folder, "source.fixAll.ptx") != ptxopt(kernel):
        problems.append("source.fixAll did not give what ptxopt gives")
    if read(folder, "left"):
        problems.append("diagnostics are left after source.fixAll: " + read(folder, "left").decode())
    return problems


def main():
    if not client.chosen("neovim"):
        return
    for name in ("gemm-1cta", "attention"):
        case = "Neovim with " + name
        if not shutil.which("nvim"):
            client.skip(case, "no nvim here")
            continue
        with tempfile.TemporaryDirectory() as folder:
            kernel = os.path.join(client.SOURCE, "examples", name, name + ".ptx")
            try:
                edit(folder, kernel)
                client.verdict(case, judge(folder, kernel))
            except (RuntimeError, OSError, subprocess.SubprocessError) as error:
                client.verdict(case, str(error).split("\n"))
