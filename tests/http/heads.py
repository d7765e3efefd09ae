"""The heads of requests: lists in several lines, unusual targets, the client, tags."""
import gzip
import json
import shutil
import subprocess

from harness import *

KERNEL = example("gemm-1cta")
TOKEN = "0123456789abcdef"
DOCUMENTS = ("/v1/rules", "/v1/assumptions", "/v1/version", "/openapi.json", "/")


def main():
    with Service() as service:
        lists(service)
        expectations(service)
        ranges(service)
        targets(service)
        tags(service)
        sizes(service)
    with Service("--tokens", text_file("heads-tokens", "farm " + TOKEN)) as service:
        asked(service)


def lists(service):
    body = ("Host: localhost", "Content-Type: text/x-ptx", f"Content-Length: {len(KERNEL)}", "Connection: close")

    @case("Accept in several lines is one list")
    def _():
        post = lambda *lines: service.exact("POST /v1/optimize HTTP/1.1", *body, *lines, body=KERNEL)
        kind = lambda *lines: post(*lines).header("Content-Type").split(";")[0]
        same(kind("Accept: text/x-ptx;q=0.5", "Accept: application/json"), "application/json")
        same(kind("Accept: image/png", "accept: text/plain"), "text/plain")

    @case("Accept-Encoding and If-None-Match in several lines are one list")
    def _():
        get = lambda *lines: service.exact("GET /v1/rules HTTP/1.1", "Host: localhost", "Connection: close", *lines)
        same(get("Accept-Encoding: br", "Accept-Encoding: gzip").header("Content-Encoding"), "gzip")
        tag = get().header("ETag")
        same(get('If-None-Match: "another"', "If-None-Match: " + tag).status, 304)
        same(get('If-None-Match: "another"', 'If-None-Match: "one more"').status, 200)

    @case("Content-Encoding in several lines is of two codings, and refused")
    def _():
        packed = gzip.compress(gzip.compress(MINIMAL))
        answer = service.exact("POST /v1/optimize HTTP/1.1", "Host: localhost", f"Content-Length: {len(packed)}",
                               "Content-Encoding: gzip", "Content-Encoding: gzip", "Connection: close", body=packed)
        same(answer.status, 415)


def expectations(service):
    @case("an Expect other than 100-continue is 417, and says which")
    def _():
        post = lambda value: service.exact("POST /v1/optimize HTTP/1.1", "Host: localhost", f"Content-Length: {len(MINIMAL)}", "Expect: " + value,
                                           "Connection: close", body=MINIMAL)
        answer = post("200-maybe")
        same((answer.status, answer.json()["type"], "'200-maybe'" in answer.json()["detail"]), (417, "urn:ptxopt:problem:expectation", True))
        same(service.exact("GET /v1/rules HTTP/1.1", "Host: localhost", "Expect: nothing", "Connection: close").status, 417)

    name = "zstd --long is answered as what it is, in a batch, too"
    if "zstd" not in features() or not shutil.which("zstd"):
        skip(name, "zstd was not built in or is not installed")
        return

    @case(name)
    def _():
        long = lambda text: subprocess.run(["zstd", "-q", "--long=27", "--no-content-size", "-c"], input=text, capture_output=True, check=True).stdout
        answer = service.post("/v1/optimize", long(MINIMAL + b"\n" * (9 << 20)), Content_Encoding="zstd")
        same((answer.status, answer.json()["type"]), (415, "urn:ptxopt:problem:zstd-window"))
        same("--long" in answer.json()["detail"], True)
        row = json.dumps({"source": MINIMAL.decode()}).encode() + b"\n"
        got = service.post("/v1/batch", long(row + b" " * (9 << 20)), "application/x-ndjson", Content_Encoding="zstd").body.splitlines()
        same([json.loads(one)["status"] for one in got], [415])


def ranges(service):
    def part(where, value, **headers):
        return service.ask("GET", where, headers={"Range": value, **{name.replace("_", "-"): text for name, text in headers.items()}}, check=False)

    @case("Range gives those bytes of an answer to GET, and of a stored one, by its tag")
    def _():
        where = service.post("/v1/optimize", KERNEL).header("Content-Location")
        for target in (where, "/openapi.json", "/v1/rules", "/healthz"):
            whole = service.ask("GET", target)
            size = len(whole.body)
            same(whole.header("Accept-Ranges"), "bytes", target)
            for value, begin, end in (("bytes=0-0", 0, 1), ("bytes=1-", 1, size), ("Bytes=-2", size - 2, size), (f"bytes=2-{size * 9}", 2, size), (f"bytes=-{size * 9}", 0, size)):
                got = part(target, value)
                same((got.status, got.body, got.header("Content-Range")), (206, whole.body[begin:end], f"bytes {begin}-{end - 1}/{size}"), f"{target} {value}")
            for value in ("bytes=1-0", "bytes=0-1,2-2", "lines=0-1", "bytes=x", "bytes=-", "bytes=", "0-1"):
                same((part(target, value).status, part(target, value).body), (200, whole.body), f"{target} {value}")
            for value in (f"bytes={size}-", "bytes=-0", "bytes=99999999999999999999999-"):
                none = part(target, value)
                same((none.status, none.header("Content-Range"), none.json()["type"]), (416, f"bytes */{size}", "urn:ptxopt:problem:range"), value)
        tag = service.ask("GET", where).header("ETag")
        same([part(where, "bytes=0-1", If_Range=one).status for one in (tag, '"another"', "W/" + tag)], [206, 200, 200])
        same(service.ask("POST", "/v1/optimize", KERNEL, {"Content-Type": "text/x-ptx", "Range": "bytes=0-1"}, check=False).status, 200, "a POST has no ranges")
        coded = service.ask("GET", "/openapi.json", headers={"Accept-Encoding": "gzip"}, check=False)
        same(part("/openapi.json", "bytes=5-9", Accept_Encoding="gzip").body, coded.body[5:10], "a range is of the coded answer")


def targets(service):
    get = lambda target: service.exact(f"GET {target} HTTP/1.1", "Host: localhost", "Connection: close")

    @case("an absolute target is answered as its path")
    def _():
        for scheme in ("http", "https", "HTTP"):
            same(get(scheme + "://localhost/healthz").body, b"ok\n")
        same(get("http://localhost:80").header("Content-Type").split(";")[0], "text/html")
        same(get("http://localhost/v1/nothing").status, 404)

    @case("%00 in a path is 404, and not the path before it")
    def _():
        for path_name in ("/healthz%00", "/v1/rules%00x", "/%00", "/v1/results/" + "0" * 64 + "%00"):
            same(get(path_name).status, 404, path_name)
        same(get("/%68ealthz").body, b"ok\n")


def tags(service):
    def is_the_same(where, coding):
        headers = {"Accept-Encoding": coding}
        whole = service.ask("GET", where, headers=headers)
        same(whole.status, 200)
        coded = whole.header("Content-Encoding") is not None
        same(whole.header("ETag").endswith(f'-{coding}"'), coded, where)
        named = service.ask("GET", where, headers={**headers, "If-None-Match": whole.header("ETag")})
        same((named.status, named.body), (304, b""), where)
        for name in ("ETag", "Vary"):
            same((named.header(name), name), (whole.header(name), name), where)
        same(named.header("Content-Length") in (None, str(len(whole.body))), True, "the length of a 304")
        return coded

    @case("a 304 has the tag, the Vary and no other length than its 200, plain and gzip")
    def _():
        result = service.post("/v1/optimize", KERNEL).header("Content-Location")
        for where in (*DOCUMENTS, result):
            same(is_the_same(where, "identity"), False)
            same(is_the_same(where, "gzip"), where != "/v1/version", where)

    @case("every answer says what it varies by")
    def _():
        varies = "Accept, Accept-Encoding"
        for where in DOCUMENTS:
            same(service.ask("GET", where).header("Vary"), varies, where)
        for kind in ("text/x-ptx", "application/json"):
            same(service.post("/v1/optimize", KERNEL, Accept=kind).header("Vary"), varies, kind)
        line_of = json.dumps({"source": MINIMAL.decode()})
        same(service.post("/v1/batch", line_of, "application/x-ndjson").header("Vary"), varies)

    @case("HEAD has the length of GET, and its body is not counted as sent")
    def _():
        sent = lambda: service.metric("ptxopt_response_bytes_total")
        document, begin = service.ask("GET", "/openapi.json"), sent()
        head = service.ask("HEAD", "/openapi.json")
        same((head.status, head.body), (200, b""))
        same(head.header("Content-Length"), str(len(document.body)))
        same(sent() - begin < len(document.body), True, "only the metrics themselves")


def sizes(service):
    @case("a target over --max-header is 414 as a problem, whether path or query")
    def _():
        for target in ("/" + "y" * 40000, "/healthz?" + "y" * 40000, "/healthz?y=" + "y" * 40000):
            same(service.ask("GET", target).status, 414, target[:20])

    @case("headers over --max-header are 431 as a problem, and none is a silent close")
    def _():
        for size in (30000, 32400, 32600, 33000, 36000, 40000):
            answer = service.ask("GET", "/healthz", headers={"X-Long": "y" * size})
            same(answer.status, 431 if size >= 32768 else 200, str(size))
        for count, value, status in ((800, "b", 200), (400, "b" * 66, 200), (450, "b" * 80, 431), (1200, "b", 200)):
            lines = [f"a{i}: {value}" for i in range(count)]
            answer = service.exact("GET /healthz HTTP/1.1", "Host: localhost", "Connection: close", *lines)
            same(answer.status, status, f"{count} headers")


def asked(service):
    get = lambda target, *lines: service.exact(f"GET {target} HTTP/1.1", "Host: localhost", "Connection: close", *lines)
    bearer = "Authorization: Bearer " + TOKEN

    @case("a token is known with several spaces before it, and in any case of Bearer")
    def _():
        for line_of in (bearer, "Authorization: Bearer    " + TOKEN, "authorization: bEARER " + TOKEN):
            same(get("/v1/rules", line_of).status, 200, line_of)
        for line_of in ("Authorization: Bearer", "Authorization: Bearer ", "Authorization: Bearer" + TOKEN):
            same(get("/v1/rules", line_of).status, 401, line_of)

    @case("two lines of Authorization are 401, even when both are right")
    def _():
        same(get("/v1/rules", bearer, bearer).status, 401)
        same(get("/v1/rules", "Authorization: Bearer nobody-knows-this", bearer).status, 401)

    @case("an absolute target asks for a token where its path does")
    def _():
        same(get("http://localhost/healthz").status, 200)
        same(get("http://localhost/v1/rules").status, 401)
        same(get("http://localhost/v1/rules", bearer).status, 200)
        same(get("http://healthz/v1/rules").status, 401)
        same(get("/healthz%00/../v1/rules").status, 401)
