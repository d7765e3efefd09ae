"""Limits for a client: memory, time, places in the queue."""
import gzip
import http.client
import json
import resource
import socket
import subprocess
import threading

from harness import *

KERNEL = example("gemm-1cta")
LONG = KERNEL * 900  # 28 MB, some seconds of a full parse


def main():
    limits()
    json_bodies()
    reports()
    buffered()
    late()
    memory()
    files()


def flood(service, n, body):
    answers = []
    threads = [threading.Thread(target=lambda i=i: answers.append(service.post(f"/v1/optimize?name=n{i}", body)))
               for i in range(n)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return answers


def limits():
    big = KERNEL * 24

    @case("a full queue answers 503 at once, with Retry-After")
    def _():
        with Service("--workers", 1, "--queue", 1, "--max-requests-per-client", 100) as service:
            statuses = sorted(answer.status for answer in flood(service, 12, big))
            same(set(statuses) <= {200, 422, 503}, True, str(statuses))
            same(503 in statuses and statuses[0] != 503, True, str(statuses))

    @case("one client's requests over --max-requests-per-client are 429")
    def _():
        with Service("--workers", 1, "--max-requests-per-client", 2) as service:
            same(429 in [answer.status for answer in flood(service, 8, big)], True)

    @case("a request over --work-timeout is 503, and the service goes on")
    def _():
        with Service("--workers", 1, "--work-timeout", 50) as service:
            answer = service.post("/v1/optimize?parse=full", KERNEL * 200)
            same(answer.status, 503)
            same(answer.json()["type"], "urn:ptxopt:problem:timeout")
            same(service.ask("GET", "/healthz").status, 200)

    @case("a batch ends at --max-batch-items with a line that says so")
    def _():
        with Service("--max-batch-items", 2) as service:
            body = (json.dumps({"source": MINIMAL.decode()}) + "\n") * 5
            got = [json.loads(one) for one in service.post("/v1/batch", body, "application/x-ndjson").body.splitlines()]
            same([one["status"] for one in got], [200, 200, 413])

    @case("bodies over --max-buffered together are 503")
    def _():
        with Service("--max-buffered", 1000) as service:
            same(service.post("/v1/optimize", KERNEL).status, 503)
            same(service.post("/v1/optimize", MINIMAL).status, 200)

    @case("every limit is an option that --print-limits shows")
    def _():
        shown = subprocess.run([PTXOPTD, "--queue=7", "--max-body", "2K", "--print-limits"], capture_output=True,
                               check=True).stdout.decode()
        same("queue 7 requests\n" in shown and "max-body 2048 bytes\n" in shown, True)
        for one in shown.splitlines():
            name, value, _ = one.split()
            subprocess.run([PTXOPTD, f"--{name}={value}", "--print-limits"], capture_output=True, check=True)
        same("must be" in refuses_to_start("--queue", "0"), True)
        same("expected a whole number of requests" in refuses_to_start("--queue", "many"), True)
        same("no such option" in refuses_to_start("--colour", "red"), True)
        same("its value is missing" in refuses_to_start("--queue"), True)

    @case("a cache over its budget forgets what was used longest ago")
    def _():
        with Service("--cache-bytes", 400000) as service:
            wheres = [service.post(f"/v1/optimize?name=n{i}", KERNEL).header("Content-Location") for i in range(20)]
            same(service.ask("GET", wheres[0]).status, 404)
            same(service.ask("GET", wheres[-1]).status, 200)
            same(service.metric("ptxopt_cache_bytes") <= 400000, True)


def json_bodies():
    def refused(service, request, most_mb=32):
        with grows_by_less(service, most_mb):
            answer = service.post("/v1/optimize", json.dumps(request), "application/json")
            same((answer.status, answer.json()["type"]), (400, "urn:ptxopt:problem:bad-request"))

    @case("long lists of names in JSON are 400, and take no more memory than their bytes")
    def _():
        with Service() as service:
            service.post("/v1/optimize", MINIMAL)
            for option, one, times in (("nope", "a" * 40, 10000), ("only", "0123456789ab", 25000), ("name", "a", 90000),
                                       ("assume", "a" * 3000, 100)):
                refused(service, {"source": "", "options": {option: [one] * times}})
            within = {"source": MINIMAL.decode(), "options": {"skip": ["0123456789ab"] * 20000}}
            same(service.post("/v1/optimize", json.dumps(within), "application/json").status, 200)

    @case("JSON of more than --max-json-values is 400 before it takes memory")
    def _():
        with Service() as service:
            service.post("/v1/optimize", MINIMAL)
            refused(service, {"source": "", "options": {"only": [[]] * 1000000}})
        with Service("--max-json-values", 10) as service:
            ask = lambda names: service.post("/v1/optimize", json.dumps(
                {"source": ".version 9.0 [,,,,,,,,,,{\\\",", "options": {"skip": names}}), "application/json").status
            same((ask(["0123456789ab"] * 5), ask(["0123456789ab"] * 9)), (200, 400))


def reports():
    isolated = ((), ("--isolate",)) if "isolate" in features() and not SANITIZED else ((),)

    @case("a report or lint that needs more processor time than --report-cpu-timeout is 413, and others are not")
    def _():
        long = KERNEL * 300
        row = json.dumps({"source": long.decode()}) + "\n" + json.dumps({"source": MINIMAL.decode()})
        for options in isolated:
            with Service("--report-cpu-timeout", 10, *options) as service:
                for where in ("/v1/lint", "/v1/report?format=html"):
                    answer = service.post(where, long)
                    same((answer.status, answer.json()["type"], answer.header("Retry-After")), (413, "urn:ptxopt:problem:too-costly", None), where)
                got = [json.loads(one)["status"] for one in service.post("/v1/batch?route=/v1/lint", row, "application/x-ndjson").body.splitlines()]
                same(got, [413, 200])
                same(service.post("/v1/optimize", long).status, 200)
                same(service.metric("ptxopt_worker_crashes_total"), 0)

    @case("an answer over --max-answer is 413, whatever it is an answer to")
    def _():
        for options in isolated:
            with Service("--max-answer", "16K", *options) as service:
                for where, accept in (("/v1/optimize", "text/x-ptx"), ("/v1/optimize", "application/json"), ("/v1/report?format=html", "*/*"),
                                      ("/v1/report?format=json", "*/*")):
                    answer = service.post(where, KERNEL, Accept=accept)
                    same((answer.status, answer.json()["type"], answer.header("Retry-After")),
                         (413, "urn:ptxopt:problem:answer-too-large", None), where)
                same(service.post("/v1/report?format=diff", KERNEL).status, 200)
                same(service.metric("ptxopt_worker_crashes_total"), 0)


def buffered():
    @case("what a body decompresses to counts for --max-buffered, until it is answered")
    def _():
        with Service("--max-buffered", "1M") as service:
            blank = lambda bytes: service.post("/v1/optimize", gzip.compress(MINIMAL + b"\n" * bytes), Content_Encoding="gzip")
            for _ in range(3):
                answer = blank(2 << 20)
                same((answer.status, answer.json()["type"]), (503, "urn:ptxopt:problem:busy"))
            same([blank(900000).status for _ in range(3)], [200] * 3)

    @case("a body of a route that reads none takes nothing from those who may ask")
    def _():
        token = "0123456789abcdef"
        with Service("--tokens", text_file("limits-tokens", "farm " + token), "--max-body", "64K", "--max-buffered",
                     "100K") as service:
            links = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(3)]
            for link in links:
                link.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60001\r\n\r\n" + b"x" * 60000)
            wait_until(lambda: service.ask("GET", "/metrics", headers={"Authorization": "Bearer " + token}).body
                       .count(b"\nptxopt_request_bytes_total 180000\n"))
            same(service.post("/v1/optimize", KERNEL, Authorization="Bearer " + token).status, 200)
            for link in links:
                link.sendall(b"x")
                same(link.recv(100).startswith(b"HTTP/1.1 200"), True)
                link.close()


def late():
    name = "a late request that still waits leaves its place in the queue"
    if "cache-redis" in features():
        @case(name)
        def _():
            # A worker that waits for a shared cache which never answers cannot be cancelled.
            with socket.create_server(("127.0.0.1", 0)) as mute, \
                    Service("--workers", 1, "--queue", 2, "--work-timeout", 400, "--cache-timeout", 60000, "--grace", 0,
                            "--cache-url", "redis://127.0.0.1:%d" % mute.getsockname()[1]) as service:
                long = threading.Thread(target=service.post, args=("/v1/optimize", KERNEL))
                long.start()
                wait_until(lambda: service.metric("ptxopt_requests_in_work") == 1)
                first = flood(service, 3, KERNEL)
                same(sorted(answer.json()["type"].rsplit(":", 1)[1] for answer in first), ["busy", "timeout", "timeout"])
                wait_until(lambda: service.metric("ptxopt_queue_length") == 0)
                same(service.metric("ptxopt_requests_in_work"), 1, "what was in front is still in work")
                same([answer.json()["type"].rsplit(":", 1)[1] for answer in flood(service, 2, KERNEL)], ["timeout"] * 2)
                long.join()
                mute.accept()[0].close()
                wait_until(lambda: service.metric("ptxopt_requests_in_work") == 0)
    else:
        skip(name, "not built in")

    pair = {"before": LONG.decode(), "after": (optimized(KERNEL) * 900).decode()}
    asked = (("/v1/optimize?parse=full", "text/x-ptx", LONG), ("/v1/report?format=html&parse=full", "text/x-ptx", LONG),
             ("/v1/verify", "application/json", json.dumps(pair)),
             ("/v1/batch", "application/x-ndjson", json.dumps({"source": LONG.decode(), "options": {"parse": "full"}})))

    @case("a worker is free soon after its request is late, whatever that was")
    def _():
        with Service("--workers", 1, "--work-timeout", 150) as service:
            for where, kind, body in asked:
                answer = service.post(where, body, kind)
                same(b"urn:ptxopt:problem:timeout" in answer.body, True, where)
                wait_until(lambda: service.metric("ptxopt_requests_in_work") == 0)
                same(service.post("/v1/optimize?name=" + kind.replace("/", "-"), MINIMAL).status, 200)


def memory():
    @case("a text that needs more memory than --work-memory is 413, however large it is, and takes no more")
    def _():
        with Service("--work-memory", "64M", "--max-requests-per-client", 100) as service:
            service.post("/v1/optimize", KERNEL)
            with grows_by_less(service, 64 + 8 * 40):
                for megabytes in (2, 10, 40):
                    answer = service.post("/v1/optimize?parse=full", hostile(megabytes))
                    same((answer.status, answer.json()["type"]), (413, "urn:ptxopt:problem:too-large"), f"{megabytes} MB")
            line_of = json.dumps({"source": hostile(2).decode(), "options": {"parse": "full"}}) + "\n" + json.dumps({"source": MINIMAL.decode()})
            got = service.post("/v1/batch", line_of, "application/x-ndjson").body.splitlines()
            same([json.loads(one)["status"] for one in got], [413, 200])
            same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))

    if SANITIZED:
        skip("when the system has no more memory, requests are refused, and the service goes on", "their shadow is larger than any limit")
        return

    @case("when the system has no more memory, requests are refused, and the service goes on")
    def _():
        most = 800 << 20
        with Service("--max-requests-per-client", 100, "--queue", 100, "--workers", 4, "--cache-bytes", "64M",
                     preexec=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))) as service:
            seen = [answer.status for answer in flood(service, 8, hostile(20)) + flood(service, 16, b"x" * (60 << 20))]
            same(set(seen) <= {200, 413, 422, 503}, True, str(seen))
            same(503 in seen, True, str(seen))
            wait_until(lambda: service.metric("ptxopt_requests_in_work") == 0)
            same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))


def files():
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (600, 600))

    def post(link, body):
        link.sendall(b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(MINIMAL) + body)

    def status_of(link):
        answer = http.client.HTTPResponse(link)
        answer.begin()
        answer.read()
        return answer.status

    options = ("--header-timeout", 600000, "--body-timeout", 600000, "--idle-timeout", 600, "--max-connections-per-address", 1000)

    @case("with fewer files than --max-connections need, those that are connected are answered")
    def _():
        with Service(*options, preexec=few) as service:
            links = [socket.create_connection(("127.0.0.1", service.port), timeout=120) for _ in range(500)]
            for link in links[:300]:
                post(link, MINIMAL)
                same(status_of(link), 200)
            for link in links[:200]:
                link.close()
            post(links[-1], MINIMAL)
            same(status_of(links[-1]), 200, "one that waited to be accepted")
            for link in links[200:]:
                link.close()

    @case("requests for which the system has no file wait for those before them")
    def _():
        with Service(*options, "--max-requests-per-client", 1000, "--queue", 1000, preexec=few) as service:
            links = [socket.create_connection(("127.0.0.1", service.port), timeout=120) for _ in range(250)]
            for link in links:
                post(link, MINIMAL[:10])
            # All requests are sent before the test waits for an answer: it is not known which connections got the files.
            for link in links:
                link.sendall(MINIMAL[10:])
            for link in links:
                same(status_of(link), 200)
                link.close()
