"""Batches: their lines, and clients that send them in different ways."""
import gzip
import json
import socket
import threading
import time

from harness import *

KERNEL = example("gemm-1cta")
HEAD = b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n"


def line_of(text):
    return json.dumps({"source": text}).encode() + b"\n"


def long_line(i, length):
    return line_of(f"// {i}\n" + KERNEL.decode() + "// " + "x" * length)


def main():
    with Service() as service:
        answers(service)
        ways(service)
    crowds()


def answers(service):
    @case("a batch answers each line in order, and a bad one spoils no other")
    def _():
        lines = [json.dumps({"source": MINIMAL.decode()}), "{", '{"source":5}', "", '{"source":"tcgen05 {"}',
                 json.dumps({"source": KERNEL.decode()})]
        answer = service.post("/v1/batch", "\n".join(lines), "application/x-ndjson")
        got = [json.loads(one) for one in answer.body.splitlines()]
        same([one["index"] for one in got], [0, 1, 2, 4, 5])
        same([one["status"] for one in got], [200, 400, 400, 422, 200])
        same(got[4]["result"]["ptx"].encode(), optimized(KERNEL))

    @case("a batch lints where its query says so, each line with options of its own")
    def _():
        lines = [json.dumps({"source": WRONG_WAIT}), json.dumps({"source": WRONG_WAIT, "options": {"fix": True}}),
                 json.dumps({"source": WRONG_WAIT, "options": {"level": "error"}}), json.dumps({"source": WRONG_WAIT, "options": {"style": "blank"}})]
        answer = service.post("/v1/batch?route=/v1/lint", "\n".join(lines), "application/x-ndjson")
        got = [json.loads(one) for one in answer.body.splitlines()]
        same([one["status"] for one in got], [200, 200, 200, 400])
        alone = service.post("/v1/lint", lines[0], "application/json").json()
        same(got[0]["result"], alone)
        items = [[item for file in one["result"]["files"] for item in file["items"]] for one in got[:3]]
        same([[item["code"] for item in of] for of in items], [["waits-for-nothing"]] * 2 + [[]])
        same(["insertions" in items[0][0], "insertions" in items[1][0]], [False, True])
        plain = service.post("/v1/batch?route=/v1/optimize", lines[0], "application/x-ndjson")
        same("ptx" in json.loads(plain.body)["result"], True)
        same([service.post("/v1/batch" + query, lines[0], "application/x-ndjson").status
              for query in ("?route=/v1/verify", "?route=", "?level=note", "?route=/v1/lint&level=note")], [400] * 4)

    @case("a batch is worked on while it still comes")
    def _():
        one = json.dumps({"source": MINIMAL.decode()}).encode() + b"\n"
        before = service.metric("ptxopt_batch_lines_total")
        with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as link:
            link.sendall(b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
                         b"Content-Type: application/x-ndjson\r\n\r\n%x\r\n%s\r\n" % (len(one), one))
            wait_until(lambda: service.metric("ptxopt_batch_lines_total") == before + 1)
            link.sendall(b"%x\r\n%s\r\n0\r\n\r\n" % (len(one), one))
            got = b""
            while block := link.recv(1 << 16):
                got += block
        same(got.count(b'"status":200'), 2)

    @case("a batch may be gzip both ways")
    def _():
        lines = "\n".join([json.dumps({"source": KERNEL.decode()})] * 3).encode()
        answer = service.post("/v1/batch", gzip.compress(lines), "application/x-ndjson", Content_Encoding="gzip",
                              Accept_Encoding="gzip")
        same(answer.header("Content-Encoding"), "gzip")
        same([json.loads(one)["result"]["ptx"].encode() for one in answer.plain().splitlines()], [optimized(KERNEL)] * 3)

    @case("a batch is streamed: a line comes while later ones are in work")
    def _():
        before = service.metric("ptxopt_batch_lines_total")
        long = [line_of(f"// {i}\n" + KERNEL.decode() * 16) for i in range(24)]  # none from a cache
        connection = service.connection(120)
        connection.request("POST", "/v1/batch", line_of(MINIMAL.decode()) + b"".join(long),
                           {"Content-Type": "application/x-ndjson"})
        response = connection.getresponse()
        same(json.loads(response.readline())["index"], 0)
        same(service.metric("ptxopt_batch_lines_total") - before < 25, True, "all were answered by then")
        same([json.loads(one)["status"] for one in response.read().splitlines()], [200] * 24)
        connection.close()


def ways(service):
    @case("a batch in small chunks, more of it than may wait, is answered, and so are all others")
    def _():
        others = [service.connection() for _ in range(6)]
        for one in others:
            one.request("GET", "/healthz")
            one.getresponse().read()
        lines = b"".join(long_line(i, 1500000) for i in range(7))
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece)
                          for piece in (lines[at:at + 100] for at in range(0, len(lines), 100)))
        got = service.raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n", timeout=HANGS)
        same(got.count(b'"status":200'), 7)
        for one in others:
            one.request("GET", "/healthz")
            same(one.getresponse().read(), b"ok\n")
            one.close()

    @case("a batch that is a bomb of blank lines ends at --max-batch-items, and holds up nobody")
    def _():
        bomb = gzip.compress(line_of(MINIMAL.decode()) + b"\n" * (200 << 20), 1)
        with grows_by_less(service, 50):
            answer = service.post("/v1/batch", bomb, "application/x-ndjson", Content_Encoding="gzip")
        same([json.loads(one)["status"] for one in answer.body.splitlines()], [200, 413])

    @case("a batch that drips after it was held back is cut off")
    def _():
        with Service("--body-timeout", 1500, "--max-body", "20M") as slow, \
                socket.create_connection(("127.0.0.1", slow.port), timeout=HANGS) as link:
            line = long_line(0, 9000000)
            link.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % (len(line) + 1000) + line)
            wait_until(lambda: slow.metric("ptxopt_batch_lines_total") == 1)
            begin = time.monotonic()
            try:
                while time.monotonic() - begin < 15:
                    link.sendall(b"x")
                    time.sleep(0.1)
            except OSError:
                pass
            same(time.monotonic() - begin < 10, True)


    @case("a batch that drips blank lines is cut off, and one of lines that ask for something is not")
    def _():
        with Service("--body-timeout", 2000) as slow:
            def drip(piece, pieces):
                with socket.create_connection(("127.0.0.1", slow.port), timeout=HANGS) as link:
                    link.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
                    for _ in range(pieces):
                        link.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
                        time.sleep(0.25)
                    link.sendall(b"0\r\n\r\n")
                    return link.recv(1 << 16)
            same(drip(b"{}\n", 11)[:12], b"HTTP/1.1 200")
            for blank in (b"\n", b" \t\r\n\n"):
                try:
                    got = drip(blank, 60)
                except OSError:
                    got = b""
                same(got, b"")
                wait_until(lambda: slow.metric("ptxopt_slow_connections_total") > 0)


def crowds():
    @case("many batches of one address leave the queue to others")
    def _():
        with Service("--workers", 4, "--queue", 8, "--cache-bytes", 0) as service:
            def batch(i):
                body = b"".join(line_of(f"// {i} {k}\n" + KERNEL.decode() * 3) for k in range(12))
                done.append(service.ask("POST", "/v1/batch", body, {"Content-Type": "application/x-ndjson"}, False).status)

            done, seen = [], []
            threads = [threading.Thread(target=batch, args=(i,)) for i in range(12)]
            for one in threads:
                one.start()
            wait_until(lambda: service.metric("ptxopt_requests_in_work") == 4 or len(done) == 12)
            while len(done) < 12:
                seen.append(service.ask("POST", "/v1/optimize", MINIMAL, {"Content-Type": "text/x-ptx"},
                                        source="127.0.0.3").status)
            for one in threads:
                one.join()
            same(set(seen) | set(done), {200})
