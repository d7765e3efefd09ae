"""If the clock is set back, all deadlines still apply. clock.c, preloaded, gives the service a time that differs from
the clock by which the system waits."""
import json
import os
import shlex
import signal
import socket
import subprocess
import time

from harness import *

KERNEL = example("gemm-1cta")


def main():
    name = "setting the clock back disarms no deadline"
    compiler = shlex.split(os.environ.get("TEST_CC") or "cc")
    shim = path("clock.so")
    if SANITIZED:
        skip(name, "the sanitizers are preloaded first")
        return
    done = subprocess.run([*compiler, "-shared", "-fPIC", "-o", shim, os.path.join(SOURCE, "tests", "http", "clock.c")],
                          capture_output=True, cwd=BUILD)
    if done.returncode:
        skip(name, "no compiler here that makes shared libraries")
        return
    deadlines({"LD_PRELOAD": shim})


def deadlines(env):
    @case("with the clock set back slow headers are cut off, late work is 503 and idle connections end")
    def _():
        with Service("--header-timeout", 300, "--work-timeout", 50, "--idle-timeout", 1, "--workers", 1, env=env) as service:
            said = [json.loads(text)["time"] for text in service.log if text.startswith("{")]
            ahead = time.mktime(time.strptime(said[0][:19], "%Y-%m-%dT%H:%M:%S")) - time.mktime(time.gmtime())
            same(ahead > 3000, True, "the clock that it sees is set")
            with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as link:
                link.sendall(b"GET /healthz HTTP/1.1\r\n")
                same(link.recv(100), b"")
            answer = service.post("/v1/optimize?parse=full", KERNEL * 200)
            same((answer.status, answer.json()["type"]), (503, "urn:ptxopt:problem:timeout"))

    if "isolate" not in features():
        skip("with the clock set back a spawner that stands still costs its time and no more", "not built in")
        return

    @case("with the clock set back a spawner that stands still costs its time and no more")
    def _():
        with Service("--isolate", "--work-timeout", 300, "--workers", 2, env=env) as service:
            spawner = children_of(service.process.pid)[0]
            os.kill(spawner, signal.SIGSTOP)
            try:
                answers = [service.post(f"/v1/optimize?name=n{i}", KERNEL).status for i in range(4)]
                same(answers, [503] * 4)
                wait_until(lambda: service.metric("ptxopt_requests_in_work") == 0)
            finally:
                os.kill(spawner, signal.SIGCONT)
