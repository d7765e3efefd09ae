"""`ptxopt --server`: a service does the work of the program, or a false service fails to, and the result is the same as
without a service."""
import gzip
import http.server
import shutil
import threading

from harness import *

KERNEL = example("gemm-1cta")
LOCAL = optimized(KERNEL)


def ptxopt(*options, text=None, env=None, status=0):
    """Standard output and error."""
    clean = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    done = subprocess.run([PTXOPT, *map(str, options)], input=text, capture_output=True, env={**clean, **(env or {})}, timeout=HANGS)
    same(done.returncode, status, "status, with " + done.stderr.decode()[:300])
    return done.stdout, done.stderr.decode()


def can_ask():
    return "ptxopt-post is not" not in ptxopt("--server", "unix:/nowhere", text=MINIMAL)[1]


def was_asked(service, times):
    """Waits for so many requests in the log: a request is logged a little later than its client gets the answer."""
    asked = lambda: sum('"path":"/v1/optimize"' in one for one in service.log)
    wait_until(lambda: asked() >= times)
    same(asked(), times, "requests")


class Pretender:
    """A server for HTTP on 127.0.0.1. It answers each request with the next of the answers, and later ones with the last: a
    status, headers and a body, or a function of the request that returns these."""

    def __init__(self, *answers):
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                plain = gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body
                outer.requests.append((self.path, dict(self.headers), plain))
                answer = answers[min(len(outer.requests), len(answers)) - 1]
                status, headers, content = answer(self, plain) if callable(answer) else answer
                if status is None:
                    return
                self.send_response(status)
                for name, value in {"Content-Length": len(content), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)
                self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def right(_, text):
    return 200, {"Content-Type": "text/x-ptx"}, optimized(text)


def local_after(url, *options, tries=None, pretender=None, env=None, why=""):
    """The server cannot be used: the result is correct nevertheless, and one line gives the reason."""
    text, said = ptxopt("--server", url, *options, text=KERNEL, env=env)
    same(text, LOCAL, "result")
    same(said.startswith(f"ptxopt: warning: {url}: ") and said.endswith("the work is done locally\n") and why in said and
         said.count("\n") == 1, True, said)
    if tries:
        same(len(pretender.requests), tries, "requests")


def main():
    if not can_ask():
        skip("ptxopt --server", "this build has no ptxopt-post")
        return
    service_cases()
    refusals()
    liars()
    wrapper()
    loading()


def service_cases():
    @case("each example becomes what it becomes without the server")
    def _():
        with Service() as service:
            for name in ("attention", "gemm-1cta", "gemm-2cta", "gemm-lineinfo", "generated-style"):
                same(ptxopt("--server", f"http://127.0.0.1:{service.port}/", text=example(name)), (optimized(example(name)), ""), name)
            was_asked(service, 5)

    @case("the options go with the text")
    def _():
        sets = (["-O", "none"], ["--rules=wait-idle,wait-covered", "--annotate"], ["--squeeze", "--isa=9.0"],
                ["--no-assume=reads-commute", "--no-assume=sync-is-no-barrier", "--assume=exit-silent"],
                ["--assume=reads-commute", "--no-assume=reads-commute", "--parse=full"],
                ["--no-assume=reads-commute", "--assume=reads-commute"], ["--rules=none", "--rules=all", "-O", "tcgen05"])
        with Service() as service:
            for options in sets:
                there = ptxopt("--server", f"http://127.0.0.1:{service.port}", *options, text=KERNEL)
                same(there, (optimized(KERNEL, *options), ""), options)
            was_asked(service, len(sets))

    @case("over a unix socket, several files at a time, in place")
    def _():
        names = [text_file(f"place-{n}.ptx", KERNEL.decode() + "\n" * n) for n in range(6)]
        with Service(listen="unix:" + path("program.sock")) as service:
            said = "".join(f"ptxopt: {name}: rewritten by {service.address}\n" for name in names)
            same(ptxopt("--server", service.address, "-j", 4, "--in-place", *names), (b"", said))
            was_asked(service, 6)
        for n, name in enumerate(names):
            with open(name, "rb") as file:
                same(file.read(), LOCAL + b"\n" * n, name)

    @case("a token of the environment or of a file opens the door, none or another one does not")
    def _():
        tokens = text_file("program-tokens", "builder 0123456789abcdef0123\n")
        token = text_file("program-token", "0123456789abcdef0123\n")
        with Service("--tokens", tokens) as service:
            url = f"http://127.0.0.1:{service.port}"
            for env in ({"PTXOPT_TOKEN": "0123456789abcdef0123"}, {"PTXOPT_TOKEN_FILE": token}):
                same(ptxopt("--server", url, text=KERNEL, env=env), (LOCAL, ""))
            local_after(url, why="token")
            local_after(url, why="token", env={"PTXOPT_TOKEN": "0123456789abcdef0124"})

    @case("a token that is none is sent to nobody")
    def _():
        with Pretender(right) as server:
            for env in ({"PTXOPT_TOKEN": "a\r\nX-Other: b"}, {"PTXOPT_TOKEN_FILE": path("is-not-there")},
                        {"PTXOPT_TOKEN_FILE": text_file("empty-token", "")}):
                text, said = ptxopt("--server", server.url, text=KERNEL, env=env)
                same(text, LOCAL)
                same("visible characters" in said, True, said)
            same(len(server.requests), 0, "requests")

    tls = "a certificate that no authority of the system signed is not believed"
    if shutil.which("openssl") and "tls" in features():
        @case(tls)
        def _():
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                            "/CN=localhost", "-keyout", "program.key", "-out", "program.crt"], check=True, capture_output=True,
                           cwd=scratch.name)
            with Service("--tls-cert", path("program.crt"), "--tls-key", path("program.key")) as service:
                local_after(f"https://127.0.0.1:{service.port}", why="certificate")
                was_asked(service, 0)

        @case("--ca-file believes its authorities, --client-cert shows a certificate, and the environment has both for the wrapper")
        def _():
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=ci",
                            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "own.key", "-out", "own.crt"], check=True,
                           capture_output=True, cwd=scratch.name)
            with open(path("both.pem"), "w") as both:
                for name in ("own.crt", "own.key"):
                    with open(path(name)) as one:
                        both.write(one.read())
            files = ("--tls-cert", path("own.crt"), "--tls-key", path("own.key"), "--client-ca", path("own.crt"))
            with Service(*files) as service:
                url = f"https://127.0.0.1:{service.port}"
                trust = ("--ca-file", path("own.crt"))
                same(ptxopt("--server", url, *trust, "--client-cert", path("both.pem"), text=KERNEL), (LOCAL, ""))
                same(ptxopt("--server", url, *trust, "--client-cert", path("own.crt"), "--client-key", path("own.key"), text=KERNEL), (LOCAL, ""))
                was_asked(service, 2)
                env = {"PTXOPT_CA_FILE": path("own.crt"), "PTXOPT_CLIENT_CERT": path("both.pem")}
                same(ptxopt("--server", url, text=KERNEL, env=env), (LOCAL, ""))
                was_asked(service, 3)
                local_after(url, *trust, why="certificate")
                local_after(url, "--ca-file", path("nowhere.pem"), why="CA cert")
                local_after(url, *trust, "--client-cert", path("nowhere.pem"), why="local SSL certificate")
    else:
        skip(tls, "not built in, or no openssl here")

    @case("what is not PTX has the messages and the status that it has here")
    def _():
        name = text_file("bad.ptx", ".version 8.6\n.target sm_100a\n.address_size 64\n.entry k()\n{\n\ttcgen05.wait::ld.sync.aligned\n}\n")
        with Service() as service:
            url = f"http://127.0.0.1:{service.port}"
            same(ptxopt("--server", url, name, status=2), ptxopt(name, status=2))
            same(ptxopt("--server", url, "--keep-going", name), ptxopt("--keep-going", name))
            was_asked(service, 2)

    @case("a text that mentions nothing is sent to nobody, one to be read in full is")
    def _():
        with Pretender(right) as server:
            same(ptxopt("--server", server.url, text=MINIMAL), (MINIMAL, ""))
            same(len(server.requests), 0, "requests")
            same(ptxopt("--server", server.url, "--parse=full", text=MINIMAL), (MINIMAL, ""))
            same(len(server.requests), 1, "requests")

    @case("what only who does the work can say is found out here, and a line says so")
    def _():
        with Pretender(right) as server:
            for option in (["--stats"], ["--remarks"], ["--report", "text"], ["--certificate", path("certificate")], ["--skip", "0" * 12]):
                text, said = ptxopt("--server", server.url, *option, text=KERNEL)
                same(text, LOCAL, option)
                same(said.split("\n")[0].startswith("ptxopt: note: --server is not used: "), True, said)
            same(len(server.requests), 0, "requests")


def refusals():
    @case("--server-required: what the server does not do is not written, the status is 69, and each file is named")
    def _():
        names = [text_file(f"required-{n}.ptx", KERNEL.decode()) for n in range(2)]
        for server in ("http://127.0.0.1:1", "unix:" + path("nobody.sock")):
            text, said = ptxopt("--server", server, "--server-required", "--in-place", *names, status=69)
            same((text, said.count("\n"), said.startswith(f"ptxopt: error: {server}: ")), (b"", 3, True), said)
            for name in names:
                same(f"ptxopt: {name}: error: not done: --server-required" in said, True, said)
                with open(name, "rb") as file:
                    same(file.read(), KERNEL)
        text, said = ptxopt("--server", "http://127.0.0.1:1", "--server-required", "--stats", text=KERNEL, status=69)
        same((text, "--server is not used: --stats" in said), (b"", True), said)
        with Pretender(right) as server:
            same(ptxopt("--server", server.url, "--server-required", text=KERNEL), (LOCAL, ""))
            same(ptxopt("--server", server.url, "--server-required", text=MINIMAL), (MINIMAL, ""))
        with Pretender((200, {"Ptxopt-Skipped": "1"}, KERNEL)) as server:
            same(ptxopt("--server", server.url, "--server-required", text=KERNEL), (LOCAL, ""), "done here, as the server did its part")

    @case("nobody is there: one line, however many files")
    def _():
        names = [text_file(f"nobody-{n}.ptx", KERNEL.decode()) for n in range(6)]
        local_after("http://127.0.0.1:1")
        local_after("unix:" + path("nobody.sock"))
        same(ptxopt("--server", "http://127.0.0.1:1", "-j", 3, "-q", "--in-place", *names)[1].count("\n"), 1)

    @case("the text is sent compressed, with the token in no other place than its header")
    def _():
        with Pretender(right) as server:
            same(ptxopt("--server", server.url, text=KERNEL, env={"PTXOPT_TOKEN": "secret"}), (LOCAL, ""))
            where, headers, text = server.requests[0]
            same((text, headers["Content-Encoding"], headers["Authorization"]), (KERNEL, "gzip", "Bearer secret"))
            same("secret" in where, False)

    @case("429, 502, 503 and 504 are asked again, a compressed answer is taken")
    def _():
        def zipped(_, text):
            return 200, {"Content-Encoding": "gzip"}, gzip.compress(optimized(text))
        for status in (429, 502, 503, 504):
            with Pretender((status, {}, b""), (status, {}, b"later"), zipped) as server:
                same(ptxopt("--server", server.url, text=KERNEL), (LOCAL, ""), status)
                same(len(server.requests), 3, "requests")
        with Pretender((503, {}, b"")) as server:
            local_after(server.url, tries=3, pretender=server, why="503")

    @case("Retry-After is kept, and one that is too long ends the asking")
    def _():
        with Pretender((503, {"Retry-After": "1"}, b""), right) as server:
            start = time.monotonic()
            same(ptxopt("--server", server.url, text=KERNEL), (LOCAL, ""))
            same(time.monotonic() - start >= 1, True, "waited for a second")
        with Pretender((429, {"Retry-After": "100000"}, b""), right) as server:
            start = time.monotonic()
            local_after(server.url, tries=1, pretender=server, why="429")
            same(time.monotonic() - start < 20, True, "waited")

    @case("a connection that ends in the middle is tried again")
    def _():
        def cut(handler, text):
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(text)))
            handler.end_headers()
            handler.wfile.write(text[:100])
            handler.wfile.flush()
            handler.connection.shutdown(socket.SHUT_RDWR)
            return None, None, None
        with Pretender(cut, right) as server:
            same(ptxopt("--server", server.url, text=KERNEL), (LOCAL, ""))
            same(len(server.requests), 2, "requests")

    @case("a server that says nothing is left after the time")
    def _():
        with socket.create_server(("127.0.0.1", 0)) as silent:
            start = time.monotonic()
            local_after(f"http://127.0.0.1:{silent.getsockname()[1]}", "--timeout", "1", why="imeout")
            same(time.monotonic() - start < 15, True, "waited")

    @case("other refusals are asked once: a wrong place, a redirection, which is not followed")
    def _():
        with Pretender(right) as other:
            for status in (301, 307, 404, 500):
                with Pretender((status, {"Location": other.url + "/v1/optimize"}, b"")) as server:
                    local_after(server.url, tries=1, pretender=server, why=str(status))
            same(len(other.requests), 0, "requests")


def liars():
    @case("an answer that is not proven is not written")
    def _():
        lines = KERNEL.split(b"\n")
        without_waits = b"\n".join(b"" if b"tcgen05.wait" in one else one for one in lines)
        same(without_waits != LOCAL, True)
        for lie in (without_waits, b"", b"not PTX", LOCAL[:-20], LOCAL.replace(b"sm_100a", b"sm_90a"), KERNEL.replace(b"%r1,", b"%r2,", 1)):
            with Pretender((200, {}, lie)) as server:
                local_after(server.url, tries=1, pretender=server, why="not proven")

    @case("an answer without end is cut off")
    def _():
        bomb = gzip.compress(b" " * (64 << 20))
        with Pretender((200, {"Content-Encoding": "gzip"}, bomb)) as server:
            local_after(server.url, tries=1, pretender=server, why="larger")

    @case("a function that the server left alone is worked on here")
    def _():
        with Pretender((200, {"Ptxopt-Skipped": "1"}, KERNEL)) as server:
            same(ptxopt("--server", server.url, text=KERNEL), (LOCAL, ""))

    @case("what the server warns of is worked on here, so that the warning is told")
    def _():
        with Pretender((200, {"Ptxopt-Skipped": "0", "Ptxopt-Warnings": "1"}, KERNEL)) as server:
            same(ptxopt("--server", server.url, text=KERNEL), (LOCAL, ""))
        with Pretender((200, {"Ptxopt-Skipped": "0", "Ptxopt-Warnings": "0"}, KERNEL)) as server:
            same(ptxopt("--server", server.url, text=KERNEL), (KERNEL, ""))


def wrapper():
    """ptxopt-ptxas with PTXOPT_SERVER, in front of the ptxas of tests/wrapper."""

    def assemble(url):
        programs = os.path.join(SOURCE, "tests", "wrapper", "programs")
        clean = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        env = {**clean, "PATH": programs + ":" + os.environ["PATH"], "PTXOPT_SERVER": url, "PTXOPT_LOG": path("log")}
        done = subprocess.run([os.path.join(BUILD, "ptxopt-ptxas"), "ptxas", "-arch=sm_100a", "-", "-o", path("cubin")],
                              input=KERNEL, capture_output=True, env=env, timeout=HANGS)
        same((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        with open(path("cubin"), "rb") as cubin, open(path("log")) as log:
            return cubin.read().split(b"\n", 1)[1].rstrip(b"\n"), json.loads(log.readlines()[-1])

    @case("ptxopt-ptxas takes the service by PTXOPT_SERVER")
    def _():
        with Service() as service:
            text, told = assemble(f"http://127.0.0.1:{service.port}")
            same(text, LOCAL.rstrip(b"\n"))
            same((told["result"], told.get("by_server")), ("rewritten", True))
            was_asked(service, 1)

    @case("ptxopt-ptxas does the work itself where the service is not there, and only the log says so")
    def _():
        text, told = assemble("http://127.0.0.1:1")
        same(text, LOCAL.rstrip(b"\n"))
        same((told["result"], "the work is done locally" in told["reason"], told["deleted"]), ("rewritten", True, 15))


def real_program():
    """The program itself, not libtool's script around it."""
    behind = os.path.join(BUILD, ".libs", "ptxopt")
    return behind if os.path.exists(behind) else PTXOPT


def loading():
    @case("the program needs no libcurl, and without one the work is done locally")
    def _():
        needed = subprocess.run(["objdump", "-p", real_program()], capture_output=True, check=True).stdout
        same(b"libcurl" in needed or b"libz" in needed, False)
        os.makedirs(path("broken"), exist_ok=True)
        text_file("broken/libcurl.so.4", "no library")
        text, said = ptxopt("--server", "http://127.0.0.1:1", text=KERNEL, env={"LD_LIBRARY_PATH": path("broken")})
        same(text, LOCAL)
        same(said.startswith("ptxopt: warning: --server is not used: ") and "libcurl" in said, True, said)

    # It is searched for beside the program. The greeting is one field without bytes.
    @case("where ptxopt-post is missing, does not start, or ends, the work is done locally")
    def _():
        os.makedirs(path("alone"), exist_ok=True)
        lone = shutil.copy(real_program(), path("alone"))
        greets = "import socket; own = socket.socket(fileno=0); own.sendall(bytes(8)); own.recv(1)"
        for script, why in ((None, "--server is not used: ptxopt-post is not installed with this program\n"),
                            ("exit 1", "--server is not used: ptxopt-post does not start\n"),
                            (f"exec python3 -c '{greets}'", "unix:s: ptxopt-post does not answer; the work is done locally\n")):
            if script:
                os.chmod(text_file("alone/ptxopt-post", f"#!/bin/sh\n{script}\n"), 0o755)
            done = subprocess.run([lone, "--server", "unix:s"], input=KERNEL, capture_output=True, timeout=HANGS)
            same((done.returncode, done.stdout, done.stderr.decode()), (0, LOCAL, "ptxopt: warning: " + why))

    @case("ptxopt-post says that only ptxopt starts it")
    def _():
        done = subprocess.run([os.path.join(BUILD, "ptxopt-post")], stdin=subprocess.DEVNULL, capture_output=True, timeout=HANGS)
        same((done.returncode, done.stderr), (2, b"ptxopt-post: error: only ptxopt --server starts this program\n"))
