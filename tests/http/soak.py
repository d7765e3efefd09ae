"""Every kind of request for a long time: memory, threads and files do not grow, and each answer is correct.

SOAK_SECONDS (3600) in total. SOAK_LOG: a file for the samples. SOAK_OPTIONS: more options of the service, such as
--isolate. Not a part of `make check`: `make soak-http`."""
import collections
import os
import shlex
import signal
import statistics
import threading
import time

import traffic
from harness import *

SECONDS = float(os.environ.get("SOAK_SECONDS") or 3600)
OPTIONS = shlex.split(os.environ.get("SOAK_OPTIONS") or "")
CLIENTS = 6
STATUSES = (200, 304, 400, 401, 404, 405, 406, 411, 412, 413, 415, 422, 429, 503)
SETTLED_S = 1800  # a shorter run says little about memory

Sample = collections.namedtuple("Sample", "seconds resident_kb threads files spawner_kb asked")


class Soak:
    """The service, its clients, and the measurements."""

    def __init__(self):
        self.counted, self.wrong, self.samples, self.ended = collections.Counter(), [], [], False
        self.texts = [traffic.Text(example(name)) for name in traffic.NAMES]
        self.write_tokens(0)
        # A vanished client whose end came with its last bytes is noticed only after the idle time.
        self.service = Service("--tokens", path("tokens"), "--cache-bytes", "16M", "--max-body", traffic.MAX_BODY,
                               "--max-decompressed", 4 * traffic.MAX_BODY, "--max-requests-per-client", 8, "--queue", 8,
                               "--idle-timeout", 5, "--header-timeout", 5000, *OPTIONS)
        self.pid, self.begin = self.service.process.pid, time.monotonic()
        self.first = self.sample()

    def write_tokens(self, turn):
        """The last one is another each turn."""
        names = [f"client-{i} token-of-client-{i}" for i in range(CLIENTS)] + [f"changing token-of-turn-{turn:04}"]
        text_file("tokens.new", "\n".join(names) + "\n")
        os.replace(path("tokens.new"), path("tokens"))

    def spawner(self):
        found = children_of(self.pid) if "--isolate" in OPTIONS else []
        return found[0] if found else None

    def sample(self):
        resident, threads = (proc_number(self.pid, name) for name in ("VmRSS", "Threads"))
        spawner = self.spawner()
        asked = sum(count for kind, count in self.counted.copy().items() if isinstance(kind, str))
        return Sample(round(time.monotonic() - self.begin, 1), resident, threads,
                      len(os.listdir(f"/proc/{self.pid}/fd")), proc_number(spawner, "VmRSS") if spawner else 0, asked)

    def client(self, i):
        client = traffic.Client(self.service, f"token-of-client-{i}", i + 1, self.counted)
        while not self.ended and len(self.wrong) < 20:
            try:
                client.step(self.texts)
            except AssertionError as error:
                self.wrong.append(f"{time.monotonic() - self.begin:.1f} s: {error}")
        client.close()

    def reload(self, turn):
        """SIGHUP: soon the new token is accepted, and the old one is not."""
        self.write_tokens(turn)
        self.service.process.send_signal(signal.SIGHUP)

        def status(number):
            bearer = {"Authorization": f"Bearer token-of-turn-{number:04}"}
            return self.service.ask("GET", "/v1/version", headers=bearer, check=False, timeout=HANGS).status
        wait_until(lambda: status(turn) == 200)
        same(status(turn - 1), 401, "the token before")

    def run(self):
        threads = [threading.Thread(target=self.client, args=(i,)) for i in range(CLIENTS)]
        for one in threads:
            one.start()
        step, turn, next_reload = max(0.5, min(60, SECONDS / 600)), 0, 1.0
        try:
            while time.monotonic() - self.begin < SECONDS and not self.wrong and self.service.process.poll() is None:
                time.sleep(step)
                self.note(self.sample())
                if self.samples[-1].seconds >= next_reload:
                    turn, next_reload = turn + 1, self.samples[-1].seconds + max(2, SECONDS / 60)
                    self.reload(turn)
        finally:
            self.ended = True
            for one in threads:
                one.join()

    def note(self, sample):
        self.samples.append(sample)
        if os.environ.get("SOAK_LOG"):
            with open(os.environ["SOAK_LOG"], "a" if len(self.samples) > 1 else "w") as file:
                if len(self.samples) == 1:
                    print(*Sample._fields, file=file)
                print(*sample, file=file)


def median(samples, column, begin, end):
    """The median of the samples between two parts of the run."""
    return statistics.median(getattr(one, column) for one in samples[int(len(samples) * begin):int(len(samples) * end)])


def check_memory(samples, column):
    """In the first third the cache and the allocator's arenas fill up; the arenas keep holes of the size of requests that
    were active together. The medians of two sixths are compared, because single samples differ by the active requests.
    Without a leak the medians of minutes differ by 2 MB; 4 MB or 5 % is above that. In an hour 400,000 requests lie
    between the two, and malloc's smallest block is 32 bytes: one lost block in every third request is found. In a short
    run the arenas are still filling up, so it shows only whether whole texts are lost."""
    early, late = median(samples, column, 1 / 3, 1 / 2), median(samples, column, 5 / 6, 1)
    settled = samples[-1].seconds >= SETTLED_S
    allowed = max(early * (0.05 if settled else 0.25), 4096 if settled else 16384)
    print(f"# {column}: {early:.0f} after the warm-up, {late:.0f} at the end, {allowed:.0f} more are allowed", flush=True)
    same(late <= early + allowed, True, f"{column} grew from {early} to {late}")


def main():
    soak = Soak()
    try:
        soak.run()
    except BaseException:
        soak.service.stop(signal.SIGKILL)
        raise
    told = ", ".join(f"{what} {count}" for what, count in sorted(soak.counted.items(), key=lambda one: str(one[0])))
    print(f"# {soak.samples[-1].asked} requests in {soak.samples[-1].seconds} s: {told}", flush=True)
    judge(soak)


def judge(soak):
    samples = soak.samples

    @case("every answer was right")
    def _():
        same(soak.wrong, [])

    @case("every kind of request was made, and every status seen")
    def _():
        same([kind.__name__ for kind, _ in traffic.KINDS if not soak.counted[kind.__name__]], [])
        same([status for status in STATUSES if not soak.counted[status]], [])

    if SANITIZED:
        skip("memory stays what it was", "the sanitizer keeps what was freed")
    else:
        @case("memory stays what it was")
        def _():
            check_memory(samples, "resident_kb")
            if samples[-1].spawner_kb:
                check_memory(samples, "spawner_kb")

    @case("there were never more threads than at the start")
    def _():
        same({one.threads for one in samples}, {soak.first.threads})

    @case("when the clients have gone, so have their connections and files")
    def _():
        bearer = {"Authorization": "Bearer token-of-client-0"}
        wait_until(lambda: b"\nptxopt_connections 1\n" in soak.service.ask("GET", "/metrics", headers=bearer).body)
        wait_until(lambda: soak.sample().files <= soak.first.files)
        if soak.spawner():
            wait_until(lambda: len(children_of(soak.spawner())) <= (os.cpu_count() or 1))

    @case("SIGTERM ends it with status 0")
    def _():
        same(soak.service.stop(), 0)
