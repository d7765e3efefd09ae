"""Every kind of request of the soak, each with its expected answer."""
import gzip
import json
import random
import shutil
import socket
import struct
import subprocess
import time

from harness import *

NAMES = ("gemm-1cta", "gemm-2cta", "gemm-block-scaled", "generated-style", "attention")
PTX = {"Content-Type": "text/x-ptx"}
JSON = {"Content-Type": "application/json"}
MAX_BODY = 1 << 20
FLOOD = 12  # requests at once of a client that may have 8
HAS_ZSTD = "zstd" in features() and shutil.which("zstd") is not None


class Text:
    """A kernel, the output of ptxopt for it, and the first answers to requests about it."""

    def __init__(self, ptx):
        self.ptx, self.out, self.first = ptx, optimized(ptx), {}
        self.zstd = subprocess.run(["zstd", "-cq"], input=ptx, capture_output=True).stdout if HAS_ZSTD else None

    def as_before(self, what, answer):
        same(answer.status, 200, what)
        first = self.first.setdefault(what, answer.body)
        same(answer.body, first, what)
        if what == "zstd" and first is answer.body:
            same(answer.plain(), self.out, "what was compressed")


class Client:
    """Sends requests with its own token, over a connection that it keeps for a while."""

    def __init__(self, service, token, seed, counted, source=None):
        self.source = source
        self.service, self.draw, self.counted = service, random.Random(seed), counted
        self.bearer, self.link, self.number = {"Authorization": "Bearer " + token}, None, seed << 32
        self.kinds = [one for one, weight in KINDS for _ in range(weight)]

    def step(self, texts):
        """Sends one request of some kind; raises an error if its answer is wrong."""
        kind = self.draw.choice(self.kinds)
        try:
            kind(self, self.draw.choice(texts))
        except Exception as error:
            raise AssertionError(f"{kind.__name__}: {type(error).__name__}: {error}") from error
        finally:
            self.counted[kind.__name__] += 1
            if self.draw.random() < 0.2:
                self.close()

    def close(self):
        if self.link:
            self.link.close()
        self.link = None

    def once(self, method, where, body, headers):
        """The service may close a kept connection while it is idle: then the request is repeated."""
        kept = self.link is not None
        self.link = self.link or self.service.connection(60, self.source)
        try:
            self.link.request(method, where, body=body, headers={**self.bearer, **headers})
            response = self.link.getresponse()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        except (ConnectionError, http.client.BadStatusLine):
            self.close()
            if not kept:
                raise
            return self.once(method, where, body, headers)
        except BaseException:
            self.close()
            raise

    def ask(self, method, where, body=None, headers=PTX):
        """Repeats a request that was refused for the moment, sooner than Retry-After says."""
        for _ in range(600):
            answer = self.once(method, where, body, headers)
            self.counted[answer.status] += 1
            if answer.status != 503:
                return answer
            same(answer.header("Retry-After") is not None and b":busy" in answer.plain(), True, "503: busy")
            time.sleep(0.1)
        raise AssertionError("busy for a minute")

    def head(self, where, length, *more):
        lines = [f"POST {where} HTTP/1.1", "Host: localhost", "Authorization: " + self.bearer["Authorization"],
                 "Content-Type: text/x-ptx", f"Content-Length: {length}", *more]
        return "\r\n".join(lines).encode() + b"\r\n\r\n"

    def new(self):
        """A comment that no earlier text has."""
        self.number += 1
        return b"\n// %d\n" % self.number

    def option(self):
        """An option that changes no answer and is new, or no option: then a cache may have the answer."""
        self.number += 1
        return f"skip={self.number:012x}" if self.draw.random() < 0.6 else "style=blank"


# ---- requests with an answer ----

def raw(client, text):
    same(client.ask("POST", "/v1/optimize", text.ptx).body, text.out)


def raw_and_new(client, text):
    comment = client.new()
    same(client.ask("POST", "/v1/optimize?name=new.ptx", text.ptx + comment).body, text.out + comment)


def large(client, text):
    """The allocator's blocks for a large text are between those for small ones."""
    comment, times = client.new(), (MAX_BODY - 100) // len(text.ptx)
    same(client.ask("POST", "/v1/optimize", text.ptx * times + comment).status, 200)


def as_json(client, text):
    comment = client.new().decode()
    request = {"source": text.ptx.decode() + comment, "options": {"style": "blank"}}
    answer = client.ask("POST", "/v1/optimize", json.dumps(request), JSON)
    same(answer.json()["ptx"].encode(), text.out + comment.encode())


def json_answer(client, text):
    accepts = {**PTX, "Accept": "application/json"}
    text.as_before("JSON", client.ask("POST", "/v1/optimize?" + client.option(), text.ptx, accepts))


def report(client, text):
    kind = client.draw.choice(list(FORMATS))
    text.as_before("report " + kind, client.ask("POST", f"/v1/report?format={kind}&{client.option()}", text.ptx))


def verify(client, text):
    comment = client.new()
    request = {"before": (text.ptx + comment).decode(), "after": (text.out + comment).decode(),
               "options": {"certificate": client.draw.random() < 0.5}}
    result = client.ask("POST", "/v1/verify", json.dumps(request), JSON).json()
    same(result["verdict"], "proven")
    same("certificate" in result, request["options"]["certificate"])


def batch(client, text):
    comment = client.new().decode()
    lines = [{"source": text.ptx.decode() + comment}, {"source": 5}, {"source": "tcgen05 {" + comment},
             {"source": MINIMAL.decode() + comment}]
    answer = client.ask("POST", "/v1/batch", "\n".join(map(json.dumps, lines)), {"Content-Type": "application/x-ndjson"})
    got = [json.loads(one) for one in answer.body.splitlines()]
    same([one["status"] for one in got], [200, 400, 422, 200])
    same(got[0]["result"]["ptx"].encode(), text.out + comment.encode())


def gzipped(client, text):
    comment = client.new()
    answer = client.ask("POST", "/v1/optimize", gzip.compress(text.ptx + comment, 1),
                        {**PTX, "Content-Encoding": "gzip", "Accept-Encoding": "gzip"})
    same(answer.header("Content-Encoding"), "gzip")
    same(answer.plain(), text.out + comment)


def zstd(client, text):
    if text.zstd:
        text.as_before("zstd", client.ask("POST", "/v1/optimize?" + client.option(), text.zstd,
                                          {**PTX, "Content-Encoding": "zstd", "Accept-Encoding": "zstd"}))


def again(client, text):
    """Requests an answer by its name while the cache has it, with its tag."""
    answer = client.ask("POST", "/v1/optimize?style=annotate", text.ptx)
    where, tag = answer.header("Content-Location"), {"If-None-Match": answer.header("ETag")}
    same(client.ask("POST", "/v1/optimize?style=annotate", text.ptx, {**PTX, **tag}).status, 412)
    same(client.ask("GET", where, headers=tag).status in (304, 404), True)
    found = client.ask("GET", where, headers={})
    same(found.status == 404 or found.body == answer.body, True)


def documents(client, text):
    for where in ("/v1/rules", "/v1/assumptions", "/v1/version", "/openapi.json", "/", "/healthz", "/readyz"):
        text.as_before(where, client.ask("GET", where, headers={}))
    same(client.ask("GET", "/metrics", headers={}).status, 200)


# ---- wrong requests ----

WRONG = (
    (400, "POST", "/v1/optimize?colour=red", b"", PTX), (400, "POST", "/v1/optimize", b'{"source":', JSON),
    (400, "POST", "/v1/optimize", b"no gzip", {**PTX, "Content-Encoding": "gzip"}),
    (400, "POST", "/v1/report?format=pdf", b"", PTX), (400, "POST", "/v1/verify", b'{"before":""}', JSON),
    (401, "GET", "/v1/rules", None, {"Authorization": "Bearer nobody-knows-this"}),
    (404, "GET", "/v2/optimize", None, {}), (404, "GET", "/v1/results/" + "0" * 64, None, {}),
    (405, "DELETE", "/v1/optimize", None, {}), (406, "POST", "/v1/optimize", MINIMAL, {**PTX, "Accept": "image/png"}),
    (406, "POST", "/v1/optimize", MINIMAL + b"// \xff", {**PTX, "Accept": "application/json"}),
    (413, "POST", "/v1/optimize", b"x" * (MAX_BODY + 1), PTX),
    (413, "POST", "/v1/optimize", gzip.compress(b"\n" * (8 << 20)), {**PTX, "Content-Encoding": "gzip"}),
    (415, "POST", "/v1/optimize", b"x", {"Content-Type": "image/png"}),
    (415, "POST", "/v1/optimize", b"x", {**PTX, "Content-Encoding": "br"}),
    (422, "POST", "/v1/optimize", b"tcgen05 {", PTX), (422, "POST", "/v1/report?format=html", b"tcgen05 {", PTX),
)


def wrong(client, text):
    status, method, where, body, headers = client.draw.choice(WRONG)
    answer = client.ask(method, where, body, headers)
    same(answer.status, status, f"{method} {where}")
    same(answer.json()["status"], status)


def without_length(client, text):
    got = client.service.raw(b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: " +
                             client.bearer["Authorization"].encode() + b"\r\n\r\n", timeout=HANGS)
    same(got.startswith(b"HTTP/1.1 411"), True)
    client.counted[411] += 1


def flood(client, text):
    """More requests at once than a client may have: each is answered, or refused with a time for the next try."""
    links, body = [], text.ptx * 3 + client.new()
    try:
        for _ in range(FLOOD):
            links.append(socket.create_connection(("127.0.0.1", client.service.port), timeout=HANGS))
            links[-1].sendall(client.head("/v1/optimize", len(body), "Connection: close") + body)
        for link in links:
            got = http.client.HTTPResponse(link)
            got.begin()
            same(got.status in (200, 429, 503), True, str(got.status))
            same(got.getheader("Retry-After") is None, got.status == 200, "Retry-After")
            same(len(got.read()) > 0, True)
            client.counted[got.status] += 1
    finally:
        for link in links:
            link.close()


# ---- clients that vanish ----

def vanish(client, text):
    """The client ends in the head, in the body, before the answer, or in the middle of it; it closes or resets the connection."""
    whole = client.head("/v1/optimize", len(text.ptx) + 20) + text.ptx + b"%20d" % client.draw.getrandbits(60)
    lines = (json.dumps({"source": text.ptx.decode() + client.new().decode()}) + "\n").encode() * 3
    many = client.head("/v1/batch", len(lines)).replace(b"text/x-ptx", b"application/x-ndjson") + lines
    data = client.draw.choice((b"", whole[:40], whole[:len(whole) // 2], whole, whole * 2, many))
    with socket.create_connection(("127.0.0.1", client.service.port), timeout=HANGS) as link:
        link.sendall(data)
        if data in (whole * 2, many):
            link.recv(100)
        if client.draw.random() < 0.5:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


KINDS = ((raw, 12), (raw_and_new, 12), (large, 1), (as_json, 6), (json_answer, 6), (report, 12), (verify, 6), (batch, 4),
         (gzipped, 4), (zstd, 4), (again, 3), (documents, 2), (wrong, 10), (without_length, 1), (flood, 1), (vanish, 6))
