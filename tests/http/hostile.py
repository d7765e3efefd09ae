"""Hostile and broken clients. During all of them /healthz answers; at the end nothing has leaked."""
import errno
import gzip
import json
import os
import random
import re
import resource
import select
import socket
import struct
import threading
import time

from harness import *

KERNEL = example("gemm-1cta")
CROWD = 10000
SPARE_FILES = 400  # the service's and ours, beside the crowd
IDLE_MB = 100
PER_ADDRESS = 256  # the usual --max-connections-per-address


def status_of(got):
    return int(got.split(b" ", 2)[1]) if got.startswith(b"HTTP/1.1 ") else None


class Watcher:
    """Requests /healthz from a separate address, repeatedly."""

    def __init__(self, service):
        self.service, self.bad, self.asked, self.slowest, self.ended = service, [], 0, 0.0, False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.ended:
            begin = time.monotonic()
            try:
                status = self.service.ask("GET", "/healthz", source="127.0.0.2", timeout=HANGS).status
                if status != 200:
                    self.bad.append(status)
            except OSError as error:
                self.bad.append(repr(error))
            self.asked += 1
            self.slowest = max(self.slowest, time.monotonic() - begin)
            time.sleep(0.02)

    def end(self):
        self.ended = True
        self.thread.join()


def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = 20000 if hard == resource.RLIM_INFINITY else min(hard, 20000)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    service = Service("--header-timeout", 400, "--body-timeout", 800, "--idle-timeout", 2, "--max-body", "1M",
                      "--max-decompressed", "2M", "--max-connections", 800)
    watcher = Watcher(service)
    try:
        slow(service)
        broken_http(service)
        bodies(service)
        crowds(service, files)
    finally:
        watcher.end()
    vanishing()

    @case("/healthz answered throughout")
    def _():
        same(watcher.bad, [])
        same(watcher.asked > 50, True)

    @case("a request after all that is answered as before, and the service ends with status 0")
    def _():
        wait_until(lambda: service.metric("ptxopt_connections") < 5)
        same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
        same(service.stop(), 0)


def drip(service, head, piece, seconds=6):
    """Sends piece after piece; returns the seconds until the service closes the connection."""
    begin = time.monotonic()
    with socket.create_connection(("127.0.0.1", service.port), timeout=0.1) as link:
        link.sendall(head)
        while time.monotonic() - begin < seconds:
            try:
                link.sendall(piece)
                if not link.recv(1000):
                    break
            except socket.timeout:
                pass
            except OSError:
                break
    return time.monotonic() - begin


def slow(service):
    post = b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-ptx\r\n"

    @case("headers that drip in are cut off")
    def _():
        same(drip(service, b"GET /healthz HTTP/1.1\r\n", b"X: y\r\n") < 3, True)

    @case("a body that drips in is cut off, plain and chunked")
    def _():
        same(drip(service, post + b"Content-Length: 1000\r\n\r\n", b"x") < 3, True)
        same(drip(service, post + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n") < 3, True)

    @case("a client that never reads its answer is cut off")
    def _():
        text = KERNEL * 30
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.connect(("127.0.0.1", service.port))
        link.sendall(post + b"Content-Length: %d\r\n\r\n" % len(text) + text)
        time.sleep(0.1)
        wait_until(lambda: service.metric("ptxopt_connections") <= 3)
        link.close()

    @case("a connection that says nothing is cut off")
    def _():
        begin = time.monotonic()
        service.raw(b"")
        same(time.monotonic() - begin < 3, True)


def broken_http(service):
    def gives(name, data, *expected, half_close=False):
        @case(name)
        def _():
            status = status_of(service.raw(data, half_close=half_close))
            same(status in expected, True, f"status {status}, expected one of {expected}")

    head = b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/x-ptx\r\n"
    gives("a half-closed connection gets its answer",
          head + b"Content-Length: %d\r\n\r\n" % len(MINIMAL) + MINIMAL, 200, half_close=True)
    @case("of many half-closed connections at once each gets its answer")
    def _():
        body = KERNEL * 3
        request = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
        seen = []
        ask = lambda: seen.extend(status_of(service.raw(request, 60, half_close=True)) for _ in range(15))
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        same((len(seen), set(seen) <= {200, 422}), (120, True), str(set(seen)))

    gives("a body shorter than its length is no request", head + b"Content-Length: 100\r\n\r\nshort", None, 400, half_close=True)
    gives("a length that is no number is 400", head + b"Content-Length: many\r\n\r\n", 400)
    gives("a negative length is 400", head + b"Content-Length: -5\r\n\r\n", 400)
    gives("a length over 2^64 is refused", head + b"Content-Length: 99999999999999999999999\r\n\r\n", 400, 413)
    gives("a chunk that is no number is 400", head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nxx\r\n0\r\n\r\n", 400)
    gives("a chunk longer than it says is 400", head + b"Transfer-Encoding: chunked\r\n\r\n1\r\nxxxx\r\n0\r\n\r\n", 400, None)
    gives("a chunk of 2^64 bytes is refused", head + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nx", 400, 413)
    gives("an unknown transfer coding is refused", head + b"Transfer-Encoding: rot13\r\n\r\nx", 400, 501, None)
    gives("a header that is too large is refused", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 100000 + b"\r\n\r\n", 413, 431, 414, None)
    gives("a flood of headers is refused", b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 20000 + b"\r\n", 413, 431, None)
    gives("a path that is too long is refused", b"GET /" + b"y" * 100000 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 414)
    gives("bytes that are no HTTP are refused", bytes(range(1, 256)) * 20 + b"\r\n\r\n", 400, None)
    gives("HTTP/1.1 without a Host is 400", b"GET /healthz HTTP/1.1\r\n\r\n", 400)

    @case("pipelined requests are answered in order")
    def _():
        one = b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-ptx\r\nContent-Length: %d\r\n\r\n" % len(MINIMAL) + MINIMAL
        last = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        got = service.raw(one * 20 + last)
        same(got.count(b"HTTP/1.1 200"), 21)
        same(got.endswith(b"ok\n"), True)

    @case("random bytes in a request never end the service")
    def _():
        draw = random.Random(7)
        good = head + b"Content-Length: %d\r\n\r\n" % len(MINIMAL) + MINIMAL
        for _ in range(300):
            data = bytearray(good)
            for _ in range(draw.randint(1, 6)):
                data[draw.randrange(len(data))] = draw.randrange(256)
            service.raw(bytes(data), half_close=True)


def vanishing():
    """Without the timeouts, which would also end these connections."""
    head = b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-ptx\r\nContent-Length: 1000\r\n\r\n"
    options = ("--header-timeout", 300000, "--body-timeout", 300000, "--idle-timeout", 300)
    parts = {"half a head": head[:40], "the head alone": head, "half a body": head + b"x" * 500,
             "half a chunk": head.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked") + b"10\r\nxxx"}

    def vanish(service, data):
        with socket.create_connection(("127.0.0.1", service.port)) as link:
            link.sendall(data)

    @case("a client that closes with its last bytes is noticed, whatever it left undone")
    def _():
        with Service(*options) as service:
            for name, data in parts.items():
                for _ in range(20):
                    vanish(service, data)
                try:
                    wait_until(lambda: service.metric("ptxopt_connections") <= 1)
                except AssertionError as error:
                    raise AssertionError(f"{name}: {error}") from None

    @case("SIGTERM ends the service with status 0 after clients that closed with their last bytes")
    def _():
        service = Service(*options, "--grace", 10000)
        for data in parts.values():
            vanish(service, data)
        same(service.metric("ptxopt_connections") >= 1, True)
        same(service.stop(), 0)


    @case("the work of a client that resets its connection is given up")
    def _():
        with Service("--workers", 1, "--max-decompressed", "64M") as service:
            text = KERNEL * 900
            link = socket.create_connection(("127.0.0.1", service.port), timeout=60)
            link.sendall(b"POST /v1/optimize?parse=full HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(text) + text)
            wait_until(lambda: service.metric("ptxopt_requests_in_work") == 1)
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.close()
            wait_until(lambda: service.metric("ptxopt_requests_in_work") == 0)
            same(service.metric("ptxopt_cache_bytes"), 0, "bytes of an answer that was worked out")


def bodies(service):
    def asks(name, status, body, kind, **headers):
        @case(f"{name} is {status}")
        def _():
            same(service.post("/v1/optimize", body, kind, **headers).status, status)

    asks("a gzip bomb", 413, gzip.compress(b"\0" * (100 << 20)), "text/x-ptx", Content_Encoding="gzip")
    asks("JSON of 100,000 brackets", 400, b"[" * 100000, "application/json")
    asks("JSON with duplicate keys", 400, b'{"source":"a","source":"b"}', "application/json")
    asks("JSON with a NUL", 400, b'{"source":"a\\u0000b"}', "application/json")
    asks("JSON with half a surrogate", 400, b'{"source":"\\ud800"}', "application/json")
    asks("JSON with invalid UTF-8", 400, b'{"source":"\xc3\x28"}', "application/json")
    asks("PTX of 500,000 brackets", 422, b"{" * 500000 + b"tcgen05", "text/x-ptx")
    asks("PTX of NULs", 422, b"\0" * 1000 + b"tcgen05", "text/x-ptx")

    @case("a chunked body that grows over --max-body is 413 though no length said so")
    def _():
        head = b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        got = service.raw(head + (b"10000\r\n" + b"x" * 65536 + b"\r\n") * 20 + b"0\r\n\r\n")
        same(status_of(got), 413)

    @case("a body that never ends is cut off")
    def _():
        head = b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        got = service.raw(head + (b"10000\r\n" + b"x" * 65536 + b"\r\n") * 400)
        same(status_of(got) in (None, 413), True)

    @case("random JSON never ends the service")
    def _():
        draw = random.Random(11)
        good = json.dumps({"source": MINIMAL.decode(), "options": {"isa": "9.0", "only": ["0123456789ab"]}}).encode()
        for _ in range(200):
            data = bytearray(good)
            for _ in range(draw.randint(1, 4)):
                data[draw.randrange(len(data))] = draw.randrange(256)
            same(service.post("/v1/optimize", bytes(data), "application/json").status in (200, 400, 422), True)


def crowds(service, files):
    held = f"{CROWD:,} connections are held open at once, and others are answered meanwhile"
    refused = f"{CROWD:,} connects at once from one address leave room for others"
    idle = f"{CROWD:,} connections that each asked once and are idle take less than {IDLE_MB} MB"
    if files < CROWD + SPARE_FILES:
        for name in (held, idle, refused):
            skip(name, f"RLIMIT_NOFILE allows {files} files")
        return
    case(held)(hold_crowd)
    case(idle)(hold_askers)
    case(refused)(lambda: refuse_crowd(service))


def files_of(service):
    return len(os.listdir(f"/proc/{service.process.pid}/fd"))


def close_all(links):
    for link in links:
        link.close()


def hold_crowd():
    """Connects in steps that wait for the service, so that no queue of the system is full."""
    hour_ms = 3600 * 1000
    with Service("--max-connections", CROWD + SPARE_FILES // 2, "--max-connections-per-address", CROWD + SPARE_FILES // 2,
                 "--header-timeout", hour_ms, "--idle-timeout", 3600) as service:
        before, links = files_of(service), []
        try:
            while len(links) < CROWD:
                links += [socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) for _ in range(500)]
                wait_until(lambda: service.metric("ptxopt_connections") >= len(links))
            same(files_of(service) >= before + CROWD, True, "a file for each")
            for _ in range(5):
                same(service.ask("GET", "/healthz", source="127.0.0.3").status, 200)
                same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
            same(service.metric("ptxopt_connections") >= CROWD, True, "still open")
            links[CROWD // 2].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            same(links[CROWD // 2].recv(100).startswith(b"HTTP/1.1 200"), True, "one of them may ask")
        finally:
            close_all(links)
        wait_until(lambda: service.metric("ptxopt_connections") <= 1)
        wait_until(lambda: files_of(service) <= before + 1)


def hold_askers():
    request = b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(KERNEL) + KERNEL
    with Service("--max-connections", CROWD + SPARE_FILES // 2, "--max-connections-per-address", CROWD + SPARE_FILES // 2,
                 "--max-requests-per-client", 1000, "--idle-timeout", 3600) as service:
        length = len(service.post("/v1/optimize", KERNEL).body)
        before, links = proc_number(service.process.pid, "VmRSS"), []
        try:
            for _ in range(CROWD):
                links.append(socket.create_connection(("127.0.0.1", service.port), timeout=60))
                links[-1].sendall(request)
                answer = http.client.HTTPResponse(links[-1])
                answer.begin()
                same((answer.status, len(answer.read())), (200, length))
            same(service.metric("ptxopt_connections") >= CROWD, True, "still open")
            grown = proc_number(service.process.pid, "VmRSS") - before
            same(SANITIZED or grown < IDLE_MB * 1024, True, f"{grown} kB")
        finally:
            close_all(links)


def connect_at_once(service, links):
    """Appends connections to links, without waiting for any."""
    for _ in range(CROWD):
        link = socket.socket()
        link.setblocking(False)
        links.append(link)
        error = link.connect_ex(("127.0.0.1", service.port))
        same(error in (0, errno.EINPROGRESS), True, "connect: " + os.strerror(error))


def wait_for_end(links, seconds):
    """Waits until the service has closed every connection, also those that it has not accepted yet."""
    poll, end = select.poll(), time.monotonic() + seconds
    waiting = {link.fileno(): link for link in links}
    for number in waiting:
        poll.register(number, select.POLLIN)
    while waiting and time.monotonic() < end:
        for number, _ in poll.poll(1000):
            try:
                same(waiting[number].recv(1), b"", "an answer to nothing")
            except OSError:  # reset
                pass
            poll.unregister(number)
            del waiting[number]
    same(len(waiting), 0, "connections left open")


def refuse_crowd(service):
    """All come from 127.0.0.1; this client and the watcher use separate addresses."""
    links, most = [], []
    asker = threading.Thread(target=lambda: most.append(count_most(service, ended)))
    ended = threading.Event()
    asker.start()
    try:
        connect_at_once(service, links)
        same(len(links), CROWD)
        same(service.ask("GET", "/healthz", source="127.0.0.3", timeout=HANGS).status, 200)
        wait_for_end(links, 120)
    finally:
        ended.set()
        asker.join()
        close_all(links)
    same(most[0] <= PER_ADDRESS + 10, True, f"{most[0]} connections at a time")
    same(service.ask("GET", "/healthz").status, 200)


def count_most(service, ended):
    """The largest number of connections of the service that the metric has shown."""
    most = 0.0
    while not ended.is_set():
        got = service.ask("GET", "/metrics", source="127.0.0.4", timeout=HANGS).body.decode()
        most = max(most, float(re.search(r"^ptxopt_connections (\d+)", got, re.M).group(1)))
        time.sleep(0.01)
    return most
