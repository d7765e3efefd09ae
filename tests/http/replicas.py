"""Several replicas behind server/nginx.conf, and the instructions for operators."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

from harness import *
from balancers import Nginx, program, server_file

KERNEL = example("gemm-1cta")


def main():
    documents()
    behind_nginx()


def documents():
    known = subprocess.run([PTXOPTD, "--help"], capture_output=True, check=True).stdout.decode()

    @case("what is started from server/'s documents runs each text in a process of its own")
    def _():
        for name in ("kubernetes.yaml", "ptxoptd.service"):
            lines = [line.split("#")[0] for line in server_file(name).splitlines()]
            same(any(re.search(r"--isolate(\s|$)", line) for line in lines), True, name)

    def unknown(text, help):
        text = re.sub(r"`make [^`]*`|`?\./configure[^`]*`?|(curl|jq|kubectl|systemctl).*", "", text)
        return sorted({option for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", text) if option not in help})

    client = re.search(r"^## ptxopt as the client\n.*?(?=^## )", server_file("README.md"), re.M | re.S).group(0)

    @case("every option in server/'s documents exists")
    def _():
        for name in ("README.md", "kubernetes.yaml", "ptxoptd.service", "nginx.conf", "haproxy.cfg", "nginx.md", "kubernetes.md", "systemd.md"):
            text = server_file(name).replace(client, "")
            same([option for option in unknown(text, known) if option not in ("--prefix", "--report", "--server", "--server-required", "--unix-socket")], [], name)

    @case("every option of the client in server/README.md exists")
    def _():
        same(unknown(client, subprocess.run([PTXOPT, "--help"], capture_output=True, check=True).stdout.decode()), [])

    @case("every option is in server/README.md or --print-limits")
    def _():
        limits = subprocess.run([PTXOPTD, "--print-limits"], capture_output=True, check=True).stdout.decode()
        named = server_file("README.md") + "".join(f"--{line.split()[0]} " for line in limits.splitlines())
        same([option for option in re.findall(r"^  (--[a-z-]+)", known, re.M) if option not in named], [])

    if shutil.which("systemd-analyze"):
        @case("systemd finds nothing wrong with the units")
        def _():
            unit = text_file("ptxoptd.service", server_file("ptxoptd.service").replace("/usr/sbin/ptxoptd", "/bin/true"))
            text_file("ptxoptd.socket", server_file("ptxoptd.socket"))
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True)
            same((done.returncode, done.stderr), (0, b""))
    else:
        skip("systemd finds nothing wrong with the units", "no systemd-analyze here")


class Dying:
    """A replica that fails for each POST, as nginx sees it: it closes, or answers 503; it answers GET requests."""

    def __init__(self, last_word):
        self.last_word, self.posts = last_word, 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                link, _ = self.socket.accept()
            except OSError:
                return
            with link:
                data = link.recv(1 << 16)
                is_post = data.startswith(b"POST ")
                self.posts += is_post
                # All of it: what is closed with bytes unread is reset, and its last word lost.
                length = re.search(rb"(?i)\r\ncontent-length: (\d+)", data)
                while is_post and length and len(data) < data.index(b"\r\n\r\n") + 4 + int(length[1]):
                    part = link.recv(1 << 16)
                    if not part:
                        break
                    data += part
                link.sendall(self.last_word if is_post else b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")


def sent_twice():
    @case("nginx.conf sends a POST to one other replica when one dies of it or is busy, and to no third")
    def _():
        for last_word in (b"", b"HTTP/1.1 503 No\r\nContent-Length: 0\r\nRetry-After: 1\r\n\r\n"):
            replicas = [Dying(last_word) for _ in range(3)]
            nginx = Nginx(replicas)
            try:
                wait_until(nginx.answers)
                same(nginx.ask("POST", "/v1/optimize", KERNEL, "text/x-ptx").status, 503 if last_word else 502)
                same(sorted(one.posts for one in replicas), [0, 1, 1])
            finally:
                nginx.stop()
                for one in replicas:
                    one.socket.close()


def behind_nginx():
    name = "behind nginx.conf a replica that is killed under load costs no answer"
    if not program("nginx"):
        skip(name, "no nginx here")
        return
    sent_twice()
    replicas = [Service() for _ in range(3)]
    nginx = Nginx(replicas)
    try:
        wait_until(nginx.answers)

        @case("a batch goes through nginx.conf while it still comes")
        def _():
            lines = (json.dumps({"source": KERNEL.decode(), "options": {"name": str(i)}}) + "\n" for i in range(40))
            answer = nginx.ask("POST", "/v1/batch", (line.encode() for line in lines), "application/x-ndjson")
            same([json.loads(line)["status"] for line in answer.body.splitlines()], [200] * 40)

        @case("nginx.conf keeps /metrics to itself")
        def _():
            same(nginx.ask("GET", "/metrics").status, 403)

        @case(name)
        def _():
            killed_under_load(nginx, replicas)
    finally:
        nginx.stop()
        for one in replicas[1:]:
            one.stop()
        replicas[0].stop(signal.SIGKILL)


def killed_under_load(nginx, replicas):
    want, seen = optimized(KERNEL), []

    def load(which):
        for i in range(60):
            answer = nginx.ask("POST", f"/v1/optimize?name=n{which}-{i}", KERNEL, "text/x-ptx")
            seen.append("right" if (answer.status, answer.body) == (200, want) else answer.status)

    threads = [threading.Thread(target=load, args=(which,)) for which in range(3)]
    for one in threads:
        one.start()
    wait_until(lambda: len(seen) > 20)
    replicas[0].process.kill()
    for one in threads:
        one.join()
    same(set(seen), {"right"})
    same(len(seen), 180)
