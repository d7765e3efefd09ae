"""Tokens: rates, quotas, scopes, expiry; and no client takes all workers from others."""
import json
import signal
import threading

from harness import *

KERNEL = example("gemm-1cta")
A, B, C, D = (letter * 16 for letter in "abcd")
bearer = lambda token: {"Authorization": "Bearer " + token}


def main():
    rates()
    scopes()
    lines()
    shares()


def post(service, token, body=MINIMAL, where="/v1/optimize", kind="text/x-ptx", check=True):
    return service.ask("POST", where, body, {"Content-Type": kind, **bearer(token)}, check)


def rates():
    @case("a token has its rate and quota, which its answers say, and is 429 beyond them")
    def _():
        file = text_file("rates", f"farm {A} rate=3/3600 quota=5/86400 # nightly\nfarm {B} rate=3/3600 quota=5/86400\nother {C}\n")
        with Service("--tokens", file) as service:
            first = post(service, A)
            same((first.status, first.header("RateLimit-Policy")), (200, '"rate";q=3;w=3600, "quota";q=5;w=86400'))
            same(first.header("RateLimit"), '"rate";r=2;t=3600, "quota";r=4;t=86400')
            same(service.ask("GET", "/v1/rules", headers=bearer(A)).header("RateLimit"), None, "what is no work is free")
            same(post(service, B).header("RateLimit").startswith('"rate";r=1;t='), True, "tokens of one name share them")
            same(post(service, A, b"tcgen05 {").status, 422)
            over = post(service, A)
            same((over.status, over.json()["type"]), (429, "urn:ptxopt:problem:rate"))
            same(3590 <= int(over.header("Retry-After")) <= 3600, True, over.header("Retry-After"))
            same(over.header("RateLimit").startswith('"rate";r=0;t='), True)
            other = post(service, C)
            same((other.status, other.header("RateLimit"), other.header("RateLimit-Policy")), (200, None, None))
            counted = service.ask("GET", "/metrics", headers=bearer(C)).body.decode()
            same('ptxopt_client_requests_total{client="farm",outcome="accepted"} 3\n' in counted, True, counted)
            same('ptxopt_client_requests_total{client="farm",outcome="refused"} 1\n' in counted, True)
            same('ptxopt_client_requests_total{client="other",outcome="accepted"} 1\n' in counted, True)

    @case("a window that is over begins anew, and SIGHUP changes a rate but not what was used")
    def _():
        file = text_file("windows", f"farm {A} rate=2/1\n")
        with Service("--tokens", file) as service:
            wait_until(lambda: post(service, A).status == 429)
            wait_until(lambda: post(service, A).status == 200)
            text_file("windows", f"farm {A} rate=2/3600\n")
            service.process.send_signal(signal.SIGHUP)
            wait_until(lambda: post(service, A).status == 429)
            text_file("windows", f"farm {A} rate=100/3600\n")
            service.process.send_signal(signal.SIGHUP)
            wait_until(lambda: post(service, A).status == 200)
            same(post(service, A).header("RateLimit").startswith('"rate";r=9'), True)

    @case("a line of the tokens that is no such line is refused, with its number and what may be there")
    def _():
        for text, said in ((f"a {A} rate=3", "rate=REQUESTS/SECONDS"), (f"a {A} rate=0/5", "rate="), (f"a {A} quota=5/0", "quota=REQUESTS"),
                           (f"a {A} quota=5/31536001", "quota="), (f"a {A} scopes=", "scopes= takes"), (f"a {A} scopes=lint,all", "scopes= takes"),
                           (f"a {A} expires=tomorrow", "expires= takes"), (f"a {A} expires=2026-13-01", "expires= takes"), (f"a {A} {B}", "after NAME TOKEN"),
                           (f"a {A} rate=1/1\na {B}", "another rate or quota")):
            got = refuses_to_start("--tokens", text_file("wrong-tokens", text))
            same(said in got and f"wrong-tokens:{1 + text.count(chr(10))}:" in got, True, f"{text}: {got}")


def scopes():
    @case("a token with scopes is 403 for what is not among them")
    def _():
        file = text_file("scopes", f"ci {A} scopes=lint,results\nwatch {B} scopes=metrics\nall {C}\n")
        with Service("--tokens", file) as service:
            same(post(service, A, where="/v1/lint").status, 200)
            answer = post(service, A)
            same((answer.status, answer.json()["type"]), (403, "urn:ptxopt:problem:scope"))
            same(answer.header("WWW-Authenticate"), 'Bearer realm="ptxopt", error="insufficient_scope", scope="optimize"')
            row = json.dumps({"source": MINIMAL.decode()})
            same(post(service, A, row, "/v1/batch", "application/x-ndjson").status, 403)
            same(post(service, A, row, "/v1/batch?route=/v1/lint", "application/x-ndjson").status, 200)
            for token, where, status in ((A, "/metrics", 403), (B, "/metrics", 200), (C, "/metrics", 200), (A, "/v1/rules", 200), (B, "/v1/rules", 200),
                                         (A, "/v1/results/" + "0" * 64, 404), (B, "/v1/results/" + "0" * 64, 403)):
                same(service.ask("GET", where, headers=bearer(token)).status, status, where)

    @case("a token that has expired is 401, and says so")
    def _():
        file = text_file("expiry", f"old {A} expires=2020-01-01\nnew {B} expires=2199-12-31T23:59:59Z\n")
        with Service("--tokens", file) as service:
            answer = post(service, A)
            same((answer.status, answer.json()["type"]), (401, "urn:ptxopt:problem:expired"))
            same('error="invalid_token"' in answer.header("WWW-Authenticate"), True)
            same(post(service, B).status, 200)


def lines():
    @case("each line of a batch is a request of its token")
    def _():
        with Service("--tokens", text_file("lines", f"farm {A} rate=3/3600\n")) as service:
            rows = (json.dumps({"source": MINIMAL.decode()}) + "\n") * 5
            got = [json.loads(one) for one in post(service, A, rows, "/v1/batch", "application/x-ndjson").body.splitlines()]
            same([one["status"] for one in got], [200, 200, 200, 429, 429])
            same(post(service, A).status, 429)


def shares():
    @case("a client that has all workers keeps no other from one")
    def _():
        long = KERNEL * 900
        with Service("--workers", 2, "--cache-bytes", 0) as service:
            ask = lambda i: done.append(service.ask("POST", f"/v1/optimize?parse=full&name=n{i}", long, {"Content-Type": "text/x-ptx"},
                                                    source="127.0.0.2").status)
            done = []
            threads = [threading.Thread(target=ask, args=(i,)) for i in range(3)]
            for one in threads:
                one.start()
            wait_until(lambda: service.metric("ptxopt_requests_in_work") == 2)
            same(service.ask("POST", "/v1/optimize", MINIMAL, {"Content-Type": "text/x-ptx"}, source="127.0.0.3").status, 200)
            same(done, [])
            for one in threads:
                one.join()
