"""--isolate: each request is processed in a separate process, which the spawner process starts."""
import ctypes
import json
import os
import platform
import signal
import struct
import time

from harness import *

KERNEL = example("gemm-1cta")


def main():
    if "isolate" not in features():
        skip("with --isolate answers are the same", "not built in")
        return
    if SANITIZED:
        skip("with --isolate answers are the same", "the sanitizers need calls that the filter forbids")
        return
    answers()
    children()
    spawner()
    forbidden()


def spawner_of(service):
    return children_of(service.process.pid)[0]


def answers():
    @case("with --isolate answers are the same")
    def _():
        with Service("--isolate") as service:
            same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
            result = service.post("/v1/optimize", KERNEL, Accept="application/json").json()
            same(result["ptx"].encode(), optimized(KERNEL))
            same(service.post("/v1/optimize", b"tcgen05 {").status, 422)
            request = json.dumps({"before": KERNEL.decode(), "after": optimized(KERNEL).decode()})
            same(service.post("/v1/verify", request, "application/json").json()["verdict"], "proven")
            line_of = json.dumps({"source": KERNEL.decode()}) + "\n"
            got = service.post("/v1/batch", line_of * 3, "application/x-ndjson").body.splitlines()
            same([json.loads(one)["status"] for one in got], [200] * 3)
            same(service.metric("ptxopt_worker_crashes_total"), 0)

    @case("reports and large texts are the same bytes with --isolate as without")
    def _():
        asked = [("/v1/report?format=" + kind, KERNEL * 10, "*/*") for kind in ("json", "sarif", "markdown", "html")]
        asked += [("/v1/optimize", text, kind) for text in (KERNEL * 10, KERNEL * 35)
                  for kind in ("text/x-ptx", "application/json")]
        with Service("--isolate") as isolated, Service() as plain:
            for where, text, kind in asked:
                got = isolated.post(where, text, Accept=kind)
                same(got.status, 200, where)
                same(got.body == plain.post(where, text, Accept=kind).body, True, f"{where} as {kind}")
            same(isolated.metric("ptxopt_worker_crashes_total"), 0)

    @case("with --isolate an answer can be had again by its name")
    def _():
        with Service("--isolate") as service:
            answer = service.post("/v1/optimize", KERNEL)
            again = service.ask("GET", answer.header("Content-Location"))
            same((again.status, again.body), (200, answer.body))
            same(service.ask("GET", "/v1/results/" + "0" * 64).status, 404)


def children():
    @case("an isolated process that is killed is 503 and the next request is fine")
    def _():
        with Service("--isolate", "--workers", 1) as service:
            spawner = spawner_of(service)
            wait_until(lambda: children_of(spawner))
            for child in children_of(spawner):
                os.kill(child, signal.SIGKILL)
            answer = service.post("/v1/optimize", KERNEL)
            same(answer.status, 503)
            same(service.metric("ptxopt_worker_crashes_total"), 1)
            same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))

    @case("a text that crashes its process is 500 without Retry-After, and is not run again")
    def _():
        with Service("--isolate", "--workers", 1) as service:
            spawner = spawner_of(service)
            wait_until(lambda: children_of(spawner))
            for child in children_of(spawner):
                os.kill(child, signal.SIGSEGV)  # as if the text had done it
            for _ in range(3):
                answer = service.post("/v1/optimize", KERNEL)
                same((answer.status, answer.json()["type"]), (500, "urn:ptxopt:problem:crash"))
                same(answer.header("Retry-After"), None)
            same(service.post("/v1/report?format=diff", KERNEL).status, 500, "the same text elsewhere")
            same(service.metric("ptxopt_worker_crashes_total"), 1, "it ran once")
            same(service.post("/v1/optimize", KERNEL + b"\n").body, optimized(KERNEL + b"\n"))

    @case("a line that crashes its process spoils no other line")
    def _():
        line_of = json.dumps({"source": KERNEL.decode()}) + "\n"
        with Service("--isolate", "--workers", 1) as service:
            spawner = spawner_of(service)
            wait_until(lambda: children_of(spawner))
            for child in children_of(spawner):
                os.kill(child, signal.SIGABRT)
            lines = line_of + json.dumps({"source": MINIMAL.decode()}) + "\n" + line_of
            got = service.post("/v1/batch", lines, "application/x-ndjson").body.splitlines()
            same([json.loads(one)["status"] for one in got], [500, 200, 500])

    @case("a spare process waits under a filter, and ends when the service is killed")
    def _():
        service = Service("--isolate")
        spawner = spawner_of(service)

        def filtered():
            spares = children_of(spawner)
            return spares and all("Seccomp:\t2" in open(f"/proc/{one}/status").read() for one in spares)
        wait_until(filtered)
        spares = children_of(spawner)
        for one in spares:
            held = {os.readlink(f"/proc/{one}/fd/{fd}").split(":")[0] for fd in os.listdir(f"/proc/{one}/fd")}
            same(held <= {"/dev/null", "socket"} and len(os.listdir(f"/proc/{one}/fd")) == 4, True, "its files")
        service.stop(signal.SIGKILL)
        wait_until(lambda: not any(os.path.exists(f"/proc/{one}") for one in [spawner, *spares]))

    @case("each late request of --isolate is one timeout, and no crash")
    def _():
        with Service("--isolate", "--work-timeout", 60) as service:
            same([service.post(f"/v1/optimize?name=n{i}&parse=full", KERNEL * 300).status for i in range(3)], [503] * 3)
            wait_until(lambda: service.metric("ptxopt_requests_in_work") == 0)
            same(service.metric("ptxopt_timeouts_total"), 3)
            same(service.metric("ptxopt_worker_crashes_total"), 0)


    @case("a text that needs more memory than --isolate-memory is 413, however large it is")
    def _():
        with Service("--isolate", "--isolate-memory", "64M") as service:
            for megabytes in (2, 10, 40):
                answer = service.post("/v1/optimize?parse=full", hostile(megabytes))
                same(answer.status, 413, f"{megabytes} MB")
                same("--isolate-memory" in answer.json()["detail"], True)
            same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))


def spawner():
    @case("when the spawner dies, the service says so, drains and ends with status 1")
    def _():
        service = Service("--isolate")
        os.kill(spawner_of(service), signal.SIGKILL)
        try:
            same(service.process.wait(20), 1)
        finally:
            service.stop(signal.SIGKILL)
        events = [json.loads(text)["event"] for text in service.log if text.startswith("{")]
        same("crash" in events and events.index("crash") < events.index("draining"), True, str(events))

    @case("SIGTERM ends a service whose spawner stands still")
    def _():
        service = Service("--isolate")
        os.kill(spawner_of(service), signal.SIGSTOP)
        same(service.stop(timeout=HANGS), 0)

    @case("while the spawner stands still requests are 503 in time, and later ones are answered again")
    def _():
        with Service("--isolate", "--work-timeout", 500) as service:
            os.kill(spawner_of(service), signal.SIGSTOP)
            try:
                begin = time.monotonic()
                same([service.post(f"/v1/optimize?name=n{i}", KERNEL).status for i in range(2)], [503] * 2)
                same(time.monotonic() - begin < 10, True, "half a second each")
                wait_until(lambda: service.metric("ptxopt_requests_in_work") == 0)
            finally:
                os.kill(spawner_of(service), signal.SIGCONT)
            wait_until(lambda: service.post("/v1/optimize", KERNEL).body == optimized(KERNEL))


def forbid_filters(seccomp, prctl):
    """To be called between fork and exec: neither seccomp(2) nor its older form works any more, as under a
    systemd that leaves them out of SystemCallFilter."""
    load, equal, answer = 0x20, 0x15, 0x06  # of struct sock_filter: BPF_LD | BPF_ABS, BPF_JEQ, BPF_RET
    allowed, refused, number, argument = 0x7fff0000, 0x00050001, 0, 16
    PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2
    program = b"".join(struct.pack("HBBI", *one) for one in (
        (load, 0, 0, number), (equal, 4, 0, seccomp), (equal, 0, 2, prctl),
        (load, 0, 0, argument), (equal, 1, 0, PR_SET_SECCOMP), (answer, 0, 0, allowed), (answer, 0, 0, refused)))
    text = ctypes.create_string_buffer(program, len(program))
    whole = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(text))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, FILTER, whole, 0, 0):
        raise OSError(ctypes.get_errno(), "no filter")


def forbidden():
    name = "where the system forbids filters, --isolate is refused and all else works"
    numbers = {"x86_64": (317, 157), "aarch64": (277, 167)}.get(platform.machine())
    if not numbers:
        skip(name, "the numbers of this machine's system calls are not written down here")
        return

    @case(name)
    def _():
        same("--isolate" in refuses_to_start("--isolate", preexec=lambda: forbid_filters(*numbers)), True)
        with Service(preexec=lambda: forbid_filters(*numbers)) as service:
            same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
