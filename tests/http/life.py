"""Start, access, draining, reloading, sockets of other kinds, and separate processes."""
import fcntl
import json
import os
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import threading
import time

from harness import *

KERNEL = example("gemm-1cta")
LONG = KERNEL * 40


def main():
    symbols()
    listening()
    standard_files()
    unread_log()
    tokens()
    tls()
    draining()


def defined(file, *options):
    """The functions that a program or library defines, without those that the linker adds."""
    lines = subprocess.run(["nm", "--defined-only", *options, file], capture_output=True, check=True).stdout.decode().splitlines()
    return {words[2].split("@")[0] for words in map(str.split, lines) if len(words) == 3 and words[1] in "TWi" and words[2][0] != "_"}


def symbols():
    name = "no function of the libraries that it uses is replaced"
    program = os.path.join(BUILD, ".libs", "ptxoptd") if os.path.exists(os.path.join(BUILD, ".libs", "ptxoptd")) else PTXOPTD
    if SANITIZED or not shutil.which("nm") or not shutil.which("ldd"):
        skip(name, "the sanitizers replace them, or no nm and ldd here")
        return

    @case(name)
    def _():
        own = defined(program)
        used = subprocess.run(["ldd", program], capture_output=True, check=True).stdout.decode()
        libraries = [words[2] for words in map(str.split, used.splitlines()) if len(words) > 2 and words[1] == "=>"]
        same(any("libc.so" in library for library in libraries) and "main" in own, True, str(libraries))
        for library in libraries:
            if not library.startswith(BUILD):
                same(sorted(own & defined(library, "-D")), [], library)


def listening():
    @case("an address that others reach needs --tokens, --client-ca or --listen-without-auth")
    def _():
        same("without authentication" in refuses_to_start("--listen", "0.0.0.0:0"), True)
        same("without authentication" in refuses_to_start("--listen", "[::]:0"), True)

    @case("an address that is none, one in use, and a mode that is none, are refused")
    def _():
        for wrong in ("nonsense", "unix:"):
            refuses_to_start("--listen", wrong)
        for port in ("99999", "65536", "-1", "", "8o"):
            refuses_to_start("--listen", "127.0.0.1:" + port)
        for wrong in ("9", "0x1ff", "01000", "", "rw"):
            same("--socket-mode is octal" in refuses_to_start("--socket-mode", wrong), True, wrong)
        with Service() as service:
            same("in use" in refuses_to_start("--listen", service.address), True)

    @case("a unix socket has its mode, and is gone at the end")
    def _():
        where = path("socket")
        with Service("--socket-mode", "0600", listen="unix:" + where) as service:
            same(stat.S_IMODE(os.stat(where).st_mode), 0o600)
            same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
        same(os.path.exists(where), False)

    @case("a socket left by a killed service is taken over, one in use is not")
    def _():
        where = "unix:" + path("left")
        Service(listen=where).stop(signal.SIGKILL)
        with Service(listen=where) as service:
            same(service.ask("GET", "/healthz").status, 200)
            same("in use" in refuses_to_start("--listen", where), True)

    @case("a unix socket that another put in the same place stays when the service ends")
    def _():
        where = path("replaced")
        with Service(listen="unix:" + where), socket.socket(socket.AF_UNIX) as other:
            os.unlink(where)
            other.bind(where)
            inode = os.stat(where).st_ino
        same(os.stat(where).st_ino, inode)

    @case("who holds PATH.lock has the unix socket, and of services started at once one does")
    def _():
        where = path("held")
        with open(where + ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            same("in use" in refuses_to_start("--listen", "unix:" + where), True)
        rivals = [subprocess.Popen([PTXOPTD, "--listen", "unix:" + where], stderr=subprocess.DEVNULL) for _ in range(5)]
        try:
            wait_until(lambda: sum(one.poll() is not None for one in rivals) == 4)
            same(sorted(str(one.poll()) for one in rivals), ["2", "2", "2", "2", "None"])
            wait_until(lambda: answers(where))
        finally:
            for one in rivals:
                one.terminate()
                one.wait()
        same(os.path.exists(where), False)

    @case("systemd's socket is taken, and systemd is told")
    def _():
        notes = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notes.bind(path("notify"))
        notes.settimeout(10)
        passed = socket.create_server(("127.0.0.1", 0))
        port = passed.getsockname()[1]

        def prepare():
            os.dup2(passed.fileno(), 3)

        # The pid is known only in the child, so a shell puts it in place.
        command = f'LISTEN_PID=$$ exec "{PTXOPTD}"'
        process = subprocess.Popen(["sh", "-c", command], preexec_fn=prepare, close_fds=False,
                                   env={**os.environ, "LISTEN_FDS": "1", "NOTIFY_SOCKET": path("notify")},
                                   stderr=subprocess.DEVNULL)
        try:
            same(notes.recv(100), b"READY=1")
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS)
            connection.request("GET", "/healthz")
            same(connection.getresponse().status, 200)
            connection.close()
            process.send_signal(signal.SIGTERM)
            same(notes.recv(100), b"STOPPING=1")
            same(process.wait(20), 0)
        finally:
            process.kill()
            process.wait()
            passed.close()
            notes.close()


def asks_alone(connection):
    connection.request("GET", "/healthz")
    body = connection.getresponse().read()
    connection.close()
    return body


def answers(where):
    """Waits for a unix socket: it may not exist yet, and it exists before the service listens."""
    try:
        return asks_alone(UnixConnection(where, 10)) == b"ok\n"
    except (ConnectionRefusedError, FileNotFoundError):
        return False


def standard_files():
    @case("with standard input, output and error closed it answers right, isolated too")
    def _():
        for option in ("", "--isolate" * ("isolate" in features() and not SANITIZED)):
            where = path("closed" + option)
            process = subprocess.Popen(["sh", "-c", f'exec "{PTXOPTD}" {option} --listen "unix:{where}" <&- >&- 2>&-'])
            try:
                wait_until(lambda: answers(where))
                for _ in range(3):
                    connection = UnixConnection(where, 30)
                    connection.request("POST", "/v1/optimize", KERNEL, {"Content-Type": "text/x-ptx"})
                    same(connection.getresponse().read(), optimized(KERNEL))
                    connection.close()
                process.terminate()
                same(process.wait(20), 0)
            finally:
                process.kill()
                process.wait()


def unread_log():
    def fill(service):
        """The pipe has the size of a page, and these lines are many times longer."""
        fcntl.fcntl(service.process.stderr, fcntl.F_SETPIPE_SZ, 4096)
        for _ in range(100):
            same(service.ask("GET", "/v1/version").status, 200)
        same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))

    @case("a log that nobody reads stops no answer, and a later line counts those that were lost")
    def _():
        with Service(reads=False) as service:
            fill(service)
            service.reads = True
            service.start_reader()
            wait_until(lambda: service.ask("GET", "/v1/version") and any('"lost_lines":' in text for text in service.log))
            lost = [json.loads(text).get("lost_lines", 0) for text in service.log]
            same(sum(lost) + len(lost) >= 100, True, f"{sum(lost)} lost, {len(lost)} read")

    @case("a log that nobody reads does not keep SIGTERM from ending the service with status 0")
    def _():
        service = Service(reads=False)
        fill(service)
        service.process.send_signal(signal.SIGTERM)
        try:
            same(service.process.wait(20), 0)
        finally:
            service.stop(signal.SIGKILL)


def tokens():
    file = text_file("tokens", "# who\nfarm 0123456789abcdef\n\nlaptop fedcba9876543210\n")
    bearer = lambda token: {"Authorization": "Bearer " + token}

    @case("without a known token all but health, readiness, the page and the document is 401")
    def _():
        with Service("--tokens", file) as service:
            for where in ("/v1/rules", "/metrics", "/v1/nothing", "/v1/results/" + "0" * 64):
                same(service.ask("GET", where, check=False).status, 401, where)
                same(service.ask("GET", where, headers=bearer("0123456789abcdee"), check=False).status, 401, where)
            same(service.post("/v1/optimize", KERNEL).header("WWW-Authenticate"), 'Bearer realm="ptxopt"')
            for where in ("/healthz", "/readyz", "/", "/openapi.json"):
                same(service.ask("GET", where).status, 200, where)
            for token in ("0123456789abcdef", "fedcba9876543210"):
                same(service.ask("GET", "/v1/rules", headers=bearer(token)).status, 200)
            wait_until(lambda: any('"client":"laptop"' in text for text in service.log))
            same("fedcba" in "".join(service.log), False, "the token is in the log")

    @case("metrics ask nobody when told so, and all else still does")
    def _():
        with Service("--tokens", file, "--metrics-without-auth") as service:
            same(service.ask("GET", "/metrics").status, 200)
            same(service.ask("GET", "/v1/rules", check=False).status, 401)

    @case("SIGHUP reads the tokens again, and a broken file changes nothing")
    def _():
        own = text_file("tokens-2", "farm 0123456789abcdef\n")
        ask = lambda token: service.ask("GET", "/v1/rules", headers=bearer(token)).status
        with Service("--tokens", own) as service:
            text_file("tokens-2", "farm ffffffffffffffff\n")
            service.process.send_signal(signal.SIGHUP)
            wait_until(lambda: ask("ffffffffffffffff") == 200)
            same(ask("0123456789abcdef"), 401)
            text_file("tokens-2", "broken\n")
            service.process.send_signal(signal.SIGHUP)
            wait_until(lambda: any("the old tokens stay" in text for text in service.log))
            same(ask("ffffffffffffffff"), 200)

    @case("a tokens file without tokens, with short ones, or absent is refused")
    def _():
        same("no token" in refuses_to_start("--tokens", text_file("empty", "# none\n")), True)
        same("shorter" in refuses_to_start("--tokens", text_file("short", "me secret\n")), True)
        refuses_to_start("--tokens", path("absent"))


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=scratch.name)


def tls():
    if not shutil.which("openssl") or "tls" not in features():
        skip("TLS is served", "not built in, or no openssl here")
        return
    for name in ("server", "authority", "stranger"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=" + name, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", name + ".key",
                "-out", name + ".crt")
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=builder",
            "-keyout", "builder.key", "-out", "builder.csr")
    openssl("x509", "-req", "-in", "builder.csr", "-CA", "authority.crt", "-CAkey", "authority.key",
            "-CAcreateserial", "-days", "2", "-out", "builder.crt")
    for name, usage in (("servers", "serverAuth"), ("both", "serverAuth,clientAuth")):
        shutil.copy(path("builder.key"), path(name + ".key"))
        openssl("x509", "-req", "-in", "builder.csr", "-CA", "authority.crt", "-CAkey", "authority.key", "-CAcreateserial",
                "-days", "2", "-extfile", text_file("usage", f"extendedKeyUsage={usage}\n"), "-out", name + ".crt")
    files = ("--tls-cert", path("server.crt"), "--tls-key", path("server.key"))

    def context(client=None):
        made = ssl.create_default_context(cafile=path("server.crt"))
        if client:
            made.load_cert_chain(path(client + ".crt"), path(client + ".key"))
        return made

    @case("TLS is served, and a plain request is not")
    def _():
        with Service(*files, context=context()) as service:
            same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
            same(b"200" in service.raw(b"GET /healthz HTTP/1.0\r\n\r\n"), False)

    if "client-certificates" in features():
        @case("with --client-ca a certificate of that authority is asked for")
        def _():
            with Service(*files, "--client-ca", path("authority.crt"), context=context("builder")) as service:
                same(service.ask("GET", "/v1/rules").status, 200)
                wait_until(lambda: any('"client":"cert:builder"' in text for text in service.log))
                service.context = context()
                same(service.ask("GET", "/v1/rules").status, 401)
                same(service.ask("GET", "/healthz").status, 200)
                service.context = context("stranger")
                same(service.ask("GET", "/v1/rules").status, 401)

        @case("a certificate of that authority which is only for servers is 401")
        def _():
            with Service(*files, "--client-ca", path("authority.crt"), context=context("both")) as service:
                same(service.ask("GET", "/v1/rules").status, 200)
                service.context = context("servers")
                same(service.ask("GET", "/v1/rules").status, 401)
    else:
        skip("with --client-ca a certificate of that authority is asked for", "not built in")

    @case("SIGHUP: certificates are read again, connections that are open keep theirs, and none is lost")
    def _():
        for kind in ("crt", "key"):
            shutil.copy(path("server." + kind), path("changing." + kind))
        trust = ssl.create_default_context(cafile=path("server.crt"))
        trust.load_verify_locations(path("stranger.crt"))
        shown = lambda link: dict(one[0] for one in link.sock.getpeercert()["subject"])["commonName"]
        ends, seen = [], []

        def load():
            while not ends:
                seen.append(service.ask("GET", "/v1/rules").status)

        with Service("--tls-cert", path("changing.crt"), "--tls-key", path("changing.key"), context=trust) as service:
            open_before, crowd = service.connection(), [threading.Thread(target=load) for _ in range(3)]
            open_before.request("GET", "/healthz")
            same((open_before.getresponse().read(), shown(open_before)), (b"ok\n", "server"))
            for one in crowd:
                one.start()
            for which in ("stranger", "server", "stranger"):
                for kind in ("crt", "key"):
                    shutil.copy(path(f"{which}.{kind}"), path("changing." + kind))
                count = sum("certificates were read again" in text for text in service.log)
                service.process.send_signal(signal.SIGHUP)
                wait_until(lambda: sum("certificates were read again" in text for text in service.log) > count)
            fresh = service.connection()
            fresh.request("GET", "/healthz")
            same((fresh.getresponse().read(), shown(fresh)), (b"ok\n", "stranger"))
            open_before.request("GET", "/healthz")
            same((open_before.getresponse().read(), shown(open_before)), (b"ok\n", "server"))
            shutil.copy(path("builder.key"), path("changing.key"))
            service.process.send_signal(signal.SIGHUP)
            wait_until(lambda: any("the old certificates stay: --tls-cert with --tls-key" in text for text in service.log))
            same(service.ask("GET", "/healthz").status, 200)
            ends.append(True)
            for one in crowd:
                one.join()
            same(set(seen), {200})
            fresh.close()
            open_before.close()

    @case("a key without a certificate, and files that are not PEM, are refused")
    def _():
        refuses_to_start("--tls-key", path("server.key"))
        refuses_to_start("--tls-cert", path("builder.csr"), "--tls-key", path("server.key"), "--listen", "127.0.0.1:0")


def draining():
    @case("SIGTERM: readiness is 503 at once, work is taken for --drain-delay and answered, then exit status 0")
    def _():
        service = Service("--drain-delay", 1500)
        service.process.send_signal(signal.SIGTERM)
        wait_until(lambda: any("draining" in text for text in service.log))
        same(service.ask("GET", "/readyz").status, 503)
        same(service.ask("GET", "/healthz").status, 200)
        taken = service.post("/v1/optimize", KERNEL)
        same((taken.status, taken.header("Connection")), (200, "close"))
        same(service.stop(), 0)

    @case("after --drain-delay what is in work is answered, and what is new is 503")
    def _():
        answers = []
        service = Service("--workers", 1)
        ask = lambda i: answers.append(service.post(f"/v1/optimize?name=n{i}&parse=full", LONG).status)
        threads = [threading.Thread(target=ask, args=(i,)) for i in range(8)]
        for one in threads:
            one.start()
        taken = lambda: service.metric("ptxopt_queue_length") + service.metric("ptxopt_requests_in_work")
        wait_until(lambda: taken() + len(answers) >= 8)
        service.process.send_signal(signal.SIGTERM)
        wait_until(lambda: any("draining" in text for text in service.log))
        refused = service.post("/v1/optimize", KERNEL)
        same((refused.status, refused.header("Retry-After"), refused.header("Connection")), (503, "1", "close"))
        for one in threads:
            one.join()
        same(service.stop(), 0)
        same((len(answers), set(answers) <= {200, 422}), (8, True))

    @case("idle connections do not hold up the end")
    def _():
        service = Service()
        idle = socket.create_connection(("127.0.0.1", service.port))
        begin = time.monotonic()
        same(service.stop(), 0)
        same(time.monotonic() - begin < 5, True)
        idle.close()

    @case("work that outlasts --grace is cut off with exit status 1")
    def _():
        service = Service("--grace", 0, "--workers", 1)
        link = socket.create_connection(("127.0.0.1", service.port))
        text = KERNEL * 300
        link.sendall(b"POST /v1/optimize?parse=full HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(text) + text)
        wait_until(lambda: service.metric("ptxopt_requests_in_work") > 0)
        same(service.stop(), 1)
        link.close()

    name = "the end counts what workers still have, though its clients were told that it is late"
    if "cache-redis" not in features():
        skip(name, "not built in")
        return

    @case(name)
    def _():
        with socket.create_server(("127.0.0.1", 0)) as mute:  # a shared cache that never answers
            service = Service("--cache-url", "redis://127.0.0.1:%d" % mute.getsockname()[1], "--cache-timeout", 60000,
                              "--work-timeout", 50, "--grace", 0, "--workers", 2)
            same([service.post(f"/v1/optimize?name=n{i}", KERNEL).status for i in range(2)], [503] * 2)
            same(service.stop(), 1)
        said = [json.loads(text)["message"] for text in service.log if '"event":"cut"' in text]
        same(said, ["2 requests were still active"])
