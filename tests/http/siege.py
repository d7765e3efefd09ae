"""A mix of attacks, without and with --isolate: every answer to other clients is correct, /healthz answers soon, and memory
does not grow. SIEGE_SECONDS (1800) each. Not a part of `make check`: `make soak-http`. Attackers, clients and the watcher are
separate processes, so that none waits for another's Python."""
import collections
import http.client
import multiprocessing
import os
import random
import signal
import socket
import threading
import time

import attacks
import traffic
from harness import *

SECONDS = float(os.environ.get("SIEGE_SECONDS") or 1800)
CLIENTS, ATTACKERS = 3, 12
LATE = 10  # times as long as a bare server's answer is late: the 99th of a hundred looks of each, by turns in one run
KINDS = (traffic.raw, traffic.raw_and_new, traffic.as_json, traffic.json_answer, traffic.report, traffic.verify, traffic.batch,
         traffic.gzipped, traffic.zstd, traffic.again, traffic.documents)
OPTIONS = ("--max-body", "8M", "--max-decompressed", "16M", "--work-memory", "512M", "--isolate-memory", "1G", "--cache-bytes", "4M",
           "--work-timeout", 2000, "--body-timeout", 3000, "--header-timeout", 2000, "--idle-timeout", 3,
           "--max-requests-per-client", 2, "--max-connections-per-address", 64, "--queue", 64)
context = multiprocessing.get_context("fork")


class Patient(traffic.Client):
    """Repeats a request that was refused with 503 or 429 because of missing time or space."""

    def ask(self, method, where, body=None, headers=traffic.PTX):
        for _ in range(600):
            answer = self.once(method, where, body, headers)
            self.counted[answer.status] += 1
            if answer.status not in (429, 503):
                return answer
            same(answer.header("Retry-After") is not None, True, f"{answer.status}: {answer.plain()[:200]!r}")
            time.sleep(0.1)
        raise AssertionError("refused for minutes")


def behave(service, i, end, out):
    counted, wrong = collections.Counter(), []
    texts = [traffic.Text(example(name)) for name in traffic.NAMES]
    client = Patient(service, "none", i + 1, counted, f"127.0.1.{i + 1}")
    client.kinds = KINDS
    while time.monotonic() < end and len(wrong) < 5:
        try:
            client.step(texts)
        except AssertionError as error:
            wrong.append(str(error)[:500])
    out.put({"right": sum(counted[one.__name__] for one in KINDS) - len(wrong), "wrong": wrong,
             "again": counted[429] + counted[503]})


def echo(port):
    """A server that only answers: the time of a connection on this machine during the siege."""
    listening = socket.create_server(("127.0.0.1", 0))
    port.put(listening.getsockname()[1])
    while True:
        link, _ = listening.accept()
        with link:
            link.recv(1000)
            link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")


def look(ask, took, bad):
    begin = time.monotonic()
    try:
        status = ask()
        if status != 200:
            bad.append(status)
    except OSError as error:
        bad.append(repr(error))
    took.append((time.monotonic() - begin) * 1000)
    time.sleep(0.02)


def watch(service, bare, end, out):
    """Requests to the service and to the bare server, alternately, each over a new connection."""
    took, bare_took, bad = [], [], []

    def ask_bare():
        link = http.client.HTTPConnection("127.0.0.1", bare, timeout=HANGS)
        link.request("GET", "/healthz")
        status = link.getresponse().status
        link.close()
        return status

    while time.monotonic() < end:
        look(lambda: service.ask("GET", "/healthz", source="127.0.2.1", timeout=HANGS, check=False).status, took, bad)
        look(ask_bare, bare_took, bad)
    took.sort()
    bare_took.sort()
    out.put({"looks": len(took), "p50": took[len(took) // 2], "p99": took[len(took) * 99 // 100], "most": took[-1],
             "bare_p99": bare_took[len(bare_took) * 99 // 100], "bad": bad[:9]})


def besiege(port, i, end):
    os.nice(5)  # there is one machine for all of them
    def run(k):
        draw = random.Random(1000 * i + k)
        while time.monotonic() < end:
            attacks.attack(port, f"127.0.{3 + i}.{1 + k}", draw)
    threads = [threading.Thread(target=run, args=(k,)) for k in range(ATTACKERS // 2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


class Siege:
    def __init__(self, *options):
        self.options, self.samples = options, []
        self.service = Service(*OPTIONS, *options)
        self.pid = self.service.process.pid
        self.files = len(os.listdir(f"/proc/{self.pid}/fd"))
        self.threads = proc_number(self.pid, "Threads")

    def run(self):
        end, said, port = time.monotonic() + SECONDS, context.Queue(), context.Queue()
        bare = context.Process(target=echo, args=(port,), daemon=True)
        bare.start()
        jobs = [context.Process(target=behave, args=(self.service, i, end, said)) for i in range(CLIENTS)]
        jobs.append(context.Process(target=watch, args=(self.service, port.get(timeout=HANGS), end, said)))
        others = [context.Process(target=besiege, args=(self.service.port, i, end)) for i in range(2)]
        for one in jobs + others:
            one.start()
        while time.monotonic() < end and self.service.process.poll() is None:
            time.sleep(0.5)
            if self.service.process.poll() is None:
                self.samples.append(proc_number(self.pid, "VmRSS"))
        found = [said.get(timeout=300) for _ in jobs]
        for one in jobs + others:
            one.join()
        bare.terminate()
        self.clients = [one for one in found if "right" in one]
        self.looks = next(one for one in found if "looks" in one)

    def resident(self, begin, end):
        """The minimum of a part of the run: anything above it belongs to active requests."""
        return min(self.samples[int(len(self.samples) * begin):max(int(len(self.samples) * end), 1)])


def main():
    judge("", Siege())
    if "isolate" in features() and not SANITIZED:
        judge(" with --isolate", Siege("--isolate"))
    else:
        skip("under siege with --isolate", "not built in, or under the sanitizers")


def judge(how, siege):
    try:
        siege.run()
    except BaseException:
        siege.service.stop(signal.SIGKILL)
        raise
    looks, right = siege.looks, sum(one["right"] for one in siege.clients)
    print(f"# {SECONDS:.0f} s{how}: {right} right answers, asked again {sum(one['again'] for one in siege.clients)} times; /healthz "
          f"{looks['looks']} times: p50 {looks['p50']:.1f} ms, p99 {looks['p99']:.1f} ms, most {looks['most']:.0f} ms; "
          f"a bare server: p99 {looks['bare_p99']:.1f} ms; "
          f"resident {siege.samples[0]} kB at first", flush=True)

    @case("under siege" + how + " every answer to those who behave is right")
    def _():
        same([one["wrong"] for one in siege.clients], [[]] * CLIENTS)
        same(min(one["right"] for one in siege.clients) > 0, True)

    @case("under siege" + how + f" 99 of 100 looks at /healthz take less than {LATE} times as long as at a bare server")
    def _():
        same((looks["bad"], looks["p99"] < LATE * looks["bare_p99"]), ([], True), f"{looks['p99']} ms, {looks['bare_p99']} ms")

    @case("under siege" + how + " memory is flat, threads and files are as at first")
    def _():
        early, late = siege.resident(1 / 3, 1 / 2), siege.resident(5 / 6, 1)
        print(f"# resident: {early} kB after the warm-up, {late} kB at the end", flush=True)
        same(SANITIZED or late <= early * 1.1 + 16384, True, f"grew from {early} to {late} kB")
        same(proc_number(siege.pid, "Threads"), siege.threads)
        wait_until(lambda: len(os.listdir(f"/proc/{siege.pid}/fd")) <= siege.files)

    @case("under siege" + how + " nothing died, and SIGTERM ends it with status 0")
    def _():
        same([text for text in siege.service.log if '"event":"crash"' in text or '"event":"bug"' in text], [])
        same(siege.service.stop(), 0)
