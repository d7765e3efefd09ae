"""Origins of requests without authentication: pages of other sites, and host names that resolve to loopback."""
import json
import os
import socket
import subprocess

from harness import *

KERNEL = example("gemm-1cta")
PROBES = ("/healthz", "/readyz")
ASKED = ("/metrics", "/v1/rules", "/openapi.json", "/", "/v1/results/" + "0" * 64, "/v1/nothing")


def get(service, target, host, *lines, version="1.1"):
    hosts = () if host is None else ("Host: " + host,)
    return service.exact(f"GET {target} HTTP/{version}", *hosts, "Connection: close", *lines)


def main():
    with Service() as service:
        hosts(service)
        probes(service)
        pages(service)
    friends()
    names()
    asked_who()
    other_sockets()


def hosts(service):
    port = service.port

    @case("a Host that is loopback by name or address is answered")
    def _():
        for host in ("localhost", f"localhost:{port}", "LocalHost:1", "localhost.", "app.localhost", f"127.0.0.1:{port}",
                     "127.1.2.3", "[::1]", f"[::1]:{port}"):
            same(get(service, "/metrics", host).status, 200, host)

    @case("a Host of another name is 403, whatever is asked")
    def _():
        for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1",
                     "notlocalhost", "localhost:x", "localhost@evil.example", "[::1", "[::2]", "", "169.254.169.254"):
            for where in ASKED:
                answer = get(service, where, host)
                same((answer.status, answer.json()["type"]), (403, "urn:ptxopt:problem:host"), f"{host}: {where}")

    @case("of an absolute target its authority counts, and not Host")
    def _():
        same(get(service, "http://evil.example/metrics", "localhost").status, 403)
        same(get(service, f"http://localhost:{port}/metrics", "evil.example").status, 200)

    @case("a missing Host is 400, two are 400")
    def _():
        same(get(service, "/metrics", None).status, 400)
        same(get(service, "/metrics", None, version="1.0").status, 400)
        same(get(service, "/healthz", None).status, 400)
        same(get(service, "/metrics", "localhost", "Host: localhost").status, 400)

    @case("a body after a foreign Host is not worked on")
    def _():
        answer = service.exact("POST /v1/optimize HTTP/1.1", "Host: evil.example", f"Content-Length: {len(KERNEL)}",
                               "Connection: close", body=KERNEL)
        same(answer.status, 403)


def probes(service):
    @case("/healthz and /readyz answer probes by whatever name, and without one in HTTP/1.0")
    def _():
        for where in PROBES:
            for host in ("10.1.2.3:8080", "evil.example", "ptxoptd.default.svc:80", ""):
                same((get(service, where, host).status, host), (200, host), where)
            same(get(service, where, None, version="1.0").body, b"ok\n")


def pages(service):
    own = f"127.0.0.1:{service.port}"

    def ask(where, *lines, method="GET", host=own):
        body = KERNEL if method == "POST" else b""
        return service.exact(f"{method} {where} HTTP/1.1", "Host: " + host, "Connection: close",
                             *((f"Content-Length: {len(body)}", "Content-Type: text/plain") if body else ()), *lines, body=body)

    @case("what a page of another site sends is 403, with and without its origin")
    def _():
        for lines in (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: empty"], ["Sec-Fetch-Site: cross-site"],
                      ["Origin: https://evil.example"], ["Origin: null"], ["Origin: http://localhost:1"], [f"Origin: {own}"],
                      ["Origin: http://127.0.0.1.evil.example"], ["Origin: https://evil.example", "Sec-Fetch-Site: same-origin"],
                      ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]):
            for method, where in (("POST", "/v1/optimize"), ("GET", "/metrics"), ("GET", "/healthz"), ("GET", "/")):
                answer = ask(where, *lines, method=method)
                same((answer.status, answer.json()["type"]), (403, "urn:ptxopt:problem:origin"), f"{lines}: {where}")
        navigates = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
        same(ask("/v1/optimize", *navigates, method="POST").status, 403, "a form")

    @case("its own page, a tool and a link that somebody follows are answered")
    def _():
        for lines in (["Origin: http://" + own], ["Origin: https://" + own.upper(), "Sec-Fetch-Site: same-origin"],
                      ["Sec-Fetch-Site: none"], ["Sec-Fetch-Site: same-origin"], []):
            same(ask("/v1/optimize", *lines, method="POST").body, optimized(KERNEL), str(lines))
        same(ask("/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document").status, 200)
        same(ask("/", "Origin: http://localhost", host="localhost:80").status, 200)
        same(ask("/", "Origin: https://localhost:443", host="localhost").status, 200)


def friends():
    def ask(service, method, where, *lines, body=b"", check=True):
        return service.exact(f"{method} {where} HTTP/1.1", "Host: localhost", "Connection: close",
                             *((f"Content-Length: {len(body)}", "Content-Type: text/plain") if body else ()), *lines, body=body)

    site = "Origin: https://kernels.example"
    preflight = ("Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type", "Sec-Fetch-Site: cross-site")

    def raw(service, *lines):
        return service.raw("\r\n".join(["OPTIONS /v1/optimize HTTP/1.1", "Host: localhost", "Connection: close", *lines, "", ""]).encode()).decode().lower()

    @case("pages of an --allow-origin may ask and read the answer, those of others may not")
    def _():
        for tokens in ((), ("--tokens", text_file("friend-tokens", "farm 0123456789abcdef"))):
            with Service("--allow-origin", "https://kernels.example", "--allow-origin=http://localhost:3000", *tokens) as service:
                bearer = ("Authorization: Bearer 0123456789abcdef",) if tokens else ()
                answer = ask(service, "POST", "/v1/optimize", site, "Sec-Fetch-Site: cross-site", *bearer, body=KERNEL)
                same((answer.status, answer.header("Access-Control-Allow-Origin")), (200, "https://kernels.example"))
                same("Ptxopt-Deleted" in answer.header("Access-Control-Expose-Headers"), True)
                wrong = ask(service, "POST", "/v1/optimize", site, *bearer, body=b"tcgen05 {")
                same((wrong.status, wrong.header("Access-Control-Allow-Origin")), (422, "https://kernels.example"))
                head = raw(service, site, *preflight)
                same(head.startswith("http/1.1 204 "), True, head)
                for line in ("access-control-allow-origin: https://kernels.example", "access-control-allow-methods: get, head, post", "vary: origin"):
                    same(line + "\r\n" in head, True, head)
                same("authorization" in re.search("access-control-allow-headers: (.*)", head).group(1), True)
                other = ask(service, "GET", "/v1/rules", "Origin: https://evil.example", *bearer)
                same((other.status, other.header("Access-Control-Allow-Origin")), (200 if tokens else 403, None))
                same("access-control-allow" in raw(service, "Origin: https://evil.example", *preflight), False)

    @case("without --allow-origin nothing is said of origins, and OPTIONS is no method")
    def _():
        with Service() as service:
            same(raw(service, "Origin: http://localhost", *preflight[:1]).split()[1], "405")
            same(ask(service, "GET", "/v1/rules", "Origin: http://localhost").header("Access-Control-Allow-Origin"), None)


def names():
    @case("--allow-host gives it names, and may be repeated")
    def _():
        with Service("--allow-host", "ptx.example", "--allow-host=Farm", "--allow-host", "10.0.0.7", "--allow-host", "fd00::1") as service:
            for host in ("ptx.example", "PTX.example:80", "farm:8080", "10.0.0.7:1", "[fd00:0::1]:80", "localhost"):
                same(get(service, "/metrics", host).status, 200, host)
            for host in ("example", "a.ptx.example", "10.0.0.8"):
                same(get(service, "/metrics", host).status, 403, host)
            same(get(service, "/metrics", "ptx.example", "Origin: https://ptx.example").status, 200)

    @case("the name that is listened on is one of its own, and so is the address that was reached")
    def _():
        with Service("--listen-without-auth", listen="0.0.0.0:0") as service:
            for host in ("0.0.0.0", f"127.0.0.1:{service.port}"):
                same(get(service, "/metrics", host).status, 200, host)
            same(get(service, "/metrics", "10.0.0.1").status, 403)


def asked_who():
    token = "0123456789abcdef"

    @case("who has a token may ask by any name and from any page")
    def _():
        with Service("--tokens", text_file("origin-tokens", "farm " + token)) as service:
            bearer = "Authorization: Bearer " + token
            same(get(service, "/v1/rules", "evil.example", bearer, "Origin: https://evil.example").status, 200)
            same(get(service, "/v1/rules", "evil.example").status, 401)
            same(get(service, "/v1/rules", "localhost", bearer, "Host: localhost").status, 400)


def other_sockets():
    def on_unix(where, host, *lines):
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(where)
            link.sendall("\r\n".join(["GET /metrics HTTP/1.1", "Host: " + host, "Connection: close", *lines, "", ""]).encode())
            return int(link.recv(100).split(b" ", 2)[1])

    @case("on a unix socket, where no browser comes, Host may be a proxy's, but pages are held to their origin")
    def _():
        where = path("origin.sock")
        with Service(listen="unix:" + where):
            same(on_unix(where, "ptx.example"), 200)
            same(on_unix(where, "ptx.example", "Origin: https://ptx.example"), 200)
            same(on_unix(where, "ptx.example", "Origin: https://evil.example"), 403)
            same(on_unix(where, "ptx.example", "Sec-Fetch-Site: cross-site"), 403)

    @case("on a socket that systemd passes the same names are its own")
    def _():
        with socket.create_server(("127.0.0.1", 0)) as passed:
            def prepare():
                os.dup2(passed.fileno(), 3)
                os.set_inheritable(3, True)  # it may have been 3 before

            process = subprocess.Popen(["sh", "-c", f'LISTEN_PID=$$ exec "{PTXOPTD}"'], close_fds=False, stderr=subprocess.DEVNULL,
                                       preexec_fn=prepare, env={**os.environ, "LISTEN_FDS": "1"})
            try:
                for host, status in (("localhost", 200), ("evil.example", 403)):
                    with socket.create_connection(passed.getsockname(), timeout=HANGS) as link:
                        link.sendall(f"GET /metrics HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                        same(int(link.recv(100).split(b" ", 2)[1]), status, host)
            finally:
                process.terminate()
                process.wait()
