"""Caches that replicas share: real servers that the test starts, and servers that behave wrongly in many ways."""
import json
import os
import re
import shutil
import signal
import socket
import socketserver
import subprocess
import threading
import time
import urllib.parse

from harness import *

KERNEL = example("gemm-1cta")


def main():
    redis()
    encrypted_redis()
    s3()
    nginx()
    broken()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


class Server:
    """Runs a program that listens on port, and ends it afterwards."""

    def __init__(self, port, *command):
        self.port = port
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        stdin=subprocess.DEVNULL)
        wait_until(self.answers)

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def __enter__(self):
        return self

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


def start_redis(port, *options):
    return Server(port, "redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir",
                  scratch.name, *options)


def shares(url, *options):
    """An answer that one replica computed, another replica gets from the cache, byte for byte."""
    options = ("--cache-url", url, "--cache-timeout", 5000, *options)
    with Service(*options) as first, Service(*options) as second:
        answer = first.post("/v1/optimize", KERNEL)
        same(first.metric("ptxopt_shared_cache_misses_total"), 1)
        again = second.post("/v1/optimize", KERNEL)
        same(second.metric("ptxopt_shared_cache_hits_total"), 1)
        same(second.metric("ptxopt_cache_bytes") > len(again.body), True, "kept in the process, too")
        same(again.body, optimized(KERNEL))
        same(again.header("ETag"), answer.header("ETag"))
        same(second.ask("GET", answer.header("Content-Location")).body, answer.body)


def redis():
    wanted = ["replicas share answers in Redis", "Redis killed under load costs no answer, and is used again later",
              "a replica killed under load: clients see a broken connection or a right answer",
              "Redis may ask for a password and have a database, named in a file",
              "a wrong password costs a miss, no answer"]
    if "cache-redis" not in features() or not shutil.which("redis-server"):
        for one in wanted:
            skip(one, "not built in, or no redis-server here")
        return
    port = free_port()
    url = f"redis://127.0.0.1:{port}"

    @case(wanted[0])
    def _():
        with start_redis(port):
            shares(url)

    @case(wanted[3])
    def _():
        with start_redis(port, "--requirepass", "p@ss/word"):
            where = text_file("cache-url", f"redis://:p%40ss%2Fword@127.0.0.1:{port}/3\n")
            with Service("--cache-url-file", where) as service:
                service.post("/v1/optimize", KERNEL)
                same(service.metric("ptxopt_shared_cache_errors_total"), 0)
            listed = subprocess.run(["redis-cli", "-p", str(port), "-a", "p@ss/word", "-n", "3", "DBSIZE"],
                                    capture_output=True).stdout
            same(listed.strip(), b"1")

    @case(wanted[4])
    def _():
        with start_redis(port, "--requirepass", "right"), \
                Service("--cache-url", f"redis://:wrong@127.0.0.1:{port}") as service:
            same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
            same(service.metric("ptxopt_shared_cache_errors_total") > 0, True)

    def load(service, n, seen):
        want = optimized(KERNEL)
        for i in range(n):
            try:
                answer = service.post(f"/v1/optimize?name=load{i % 50}", KERNEL)
                seen.append("right" if answer.status == 200 and answer.body == want else
                            "retry" if answer.status == 503 else f"wrong {answer.status}")
            except (OSError, http.client.HTTPException):
                seen.append("broken")

    @case(wanted[1])
    def _():
        server = start_redis(port)
        with Service("--cache-url", url, "--cache-bytes", 0, "--cache-retry", 200) as service:
            seen = []
            threads = [threading.Thread(target=load, args=(service, 200, seen)) for _ in range(3)]
            for one in threads:
                one.start()
            time.sleep(0.2)
            server.kill()
            for one in threads:
                one.join()
            same(set(seen), {"right"})
            with start_redis(port):
                before = service.metric("ptxopt_shared_cache_hits_total")

                def hits():
                    load(service, 1, seen)
                    return service.metric("ptxopt_shared_cache_hits_total") > before

                wait_until(hits)

    @case(wanted[2])
    def _():
        with start_redis(port), Service("--cache-url", url) as other:
            service = Service("--cache-url", url)
            seen = []
            threads = [threading.Thread(target=load, args=(service, 40, seen)) for _ in range(3)]
            for one in threads:
                one.start()
            wait_until(lambda: len(seen) > 5)
            service.stop(signal.SIGKILL)
            for one in threads:
                one.join()
            same(set(seen) <= {"right", "broken", "retry"}, True, str(set(seen)))
            after = []
            load(other, 50, after)
            same(set(after), {"right"})


def make_authority(name):
    """Makes a self-signed certificate for 127.0.0.1: NAME.crt and NAME.key."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=" + name, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", name + ".key", "-out",
                    name + ".crt"], check=True, capture_output=True, cwd=scratch.name)


def encrypted_redis():
    names = ["replicas share answers in Redis over TLS, whose authority --cache-ca has",
             "SIGHUP: a new password of Redis is read from --cache-url-file, and no answer is lost"]
    if "cache-rediss" not in features() or not shutil.which("redis-server") or not shutil.which("openssl"):
        for one in names:
            skip(one, "not built in, or no redis-server or openssl here")
        return
    make_authority("redis")
    port = free_port()
    tls = ("--tls-port", str(port), "--tls-cert-file", path("redis.crt"), "--tls-key-file", path("redis.key"),
           "--tls-auth-clients", "no")

    def start(*options):
        return Server(port, "redis-server", "--port", "0", "--bind", "127.0.0.1", "--save", "", "--dir", scratch.name, *tls, *options)

    @case(names[0])
    def _():
        with start():
            shares(f"rediss://127.0.0.1:{port}", "--cache-ca", path("redis.crt"))
            with Service("--cache-url", f"rediss://127.0.0.1:{port}", "--cache-timeout", 60000) as service:
                same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
                same((service.metric("ptxopt_shared_cache_hits_total"), service.metric("ptxopt_shared_cache_errors_total") > 0), (0, True))
            wait_until(lambda: any("ertificate" in text for text in service.log if '"shared-cache"' in text))

    @case(names[1])
    def _():
        url = lambda password: f"rediss://:{password}@127.0.0.1:{port}\n"
        with start("--requirepass", "first"):
            where = text_file("rotated-url", url("first"))
            with Service("--cache-url-file", where, "--cache-ca", path("redis.crt"), "--cache-bytes", 0, "--cache-timeout", 2000,
                         "--cache-retry", 0) as service:
                hit = lambda: service.metric("ptxopt_shared_cache_hits_total")
                ask = lambda: same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
                ask()
                ask()
                same((hit(), service.metric("ptxopt_shared_cache_errors_total")), (1, 0))
                subprocess.run(["redis-cli", "-p", str(port), "--tls", "--cacert", path("redis.crt"), "-a", "first", "CONFIG", "SET",
                                "requirepass", "second"], check=True, capture_output=True)
                subprocess.run(["redis-cli", "-p", str(port), "--tls", "--cacert", path("redis.crt"), "-a", "second", "CLIENT", "KILL",
                                "TYPE", "normal"], check=True, capture_output=True)
                text_file("rotated-url", url("second"))
                service.process.send_signal(signal.SIGHUP)
                wait_until(lambda: any("--cache-url-file was read again" in text for text in service.log))
                ask()
                same(hit(), 2)
                text_file("rotated-url", "nonsense\n")
                service.process.send_signal(signal.SIGHUP)
                wait_until(lambda: any("the old --cache-url-file stays" in text for text in service.log))
                ask()
                same(hit(), 3)


def moto_user(port):
    """Makes a user of moto with all rights in S3, and returns key and secret; from then on moto checks signatures."""

    def ask(method, where, body=None, service="iam", kind="application/x-www-form-urlencoded"):
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS)
        scope = f"AWS4-HMAC-SHA256 Credential=id/20260101/us-east-1/{service}/aws4_request, SignedHeaders=host, Signature=0"
        link.request(method, where, body, {"Authorization": scope, "Content-Type": kind})
        answer = link.getresponse()
        text = answer.read().decode()
        link.close()
        same(answer.status, 200, text[:200])
        return text

    def act(action, **more):
        return ask("POST", "/", urllib.parse.urlencode({"Action": action, "Version": "2010-05-08", "UserName": "ptxoptd", **more}))

    ask("PUT", "/answers", service="s3")
    act("CreateUser")
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    act("PutUserPolicy", PolicyName="s3", PolicyDocument=json.dumps(policy))
    made = act("CreateAccessKey")
    ask("POST", "/moto-api/reset-auth", "0", kind="text/plain")
    return [re.search(f"<{name}>(.*?)</{name}>", made).group(1) for name in ("AccessKeyId", "SecretAccessKey")]


def s3():
    name = "replicas share answers in S3 (moto, which checks signatures); a wrong secret costs a miss"
    moto = shutil.which("moto_server")
    if "cache-s3" not in features() or not moto or subprocess.run([moto, "--help"], capture_output=True).returncode:
        skip(name, "not built in, or no moto_server here")
        return

    @case(name)
    def _():
        port = free_port()
        with Server(port, moto, "-H", "127.0.0.1", "-p", str(port)):
            key, secret = moto_user(port)
            url = lambda given: f"s3+http://{key}:{urllib.parse.quote(given, safe='')}@127.0.0.1:{port}/answers/ptx?region=us-east-1"
            shares(url(secret))
            with Service("--cache-url", url(secret[::-1]), "--cache-timeout", 5000) as service:
                same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
                same(service.metric("ptxopt_shared_cache_hits_total"), 0)
                wait_until(lambda: any("it answers 403" in text for text in service.log if '"shared-cache"' in text))


NGINX = """
daemon off; master_process off; worker_processes 1; pid {dir}/nginx.pid; error_log {dir}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log off; client_max_body_size 64m;
  client_body_temp_path {dir}/b; proxy_temp_path {dir}/p; fastcgi_temp_path {dir}/f; uwsgi_temp_path {dir}/u;
  scgi_temp_path {dir}/s;
  server {{
    listen 127.0.0.1:{port};
    location / {{ root {dir}/store; dav_methods PUT; create_full_put_path on; }}
  }}
}}
"""


def nginx():
    name = "replicas share answers by Bazel's protocol in an nginx with DAV"
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if "cache-http" not in features() or not program:
        skip(name, "not built in, or no nginx here")
        return

    @case(name)
    def _():
        folder, port = path("nginx"), free_port()
        os.makedirs(folder + "/store")
        for one in (folder, folder + "/store"):
            os.chmod(one, 0o777)
        os.chmod(scratch.name, 0o755)
        config = text_file("nginx.conf", "user root;\n" * (os.getuid() == 0) + NGINX.format(dir=folder, port=port))
        with Server(port, program, "-c", config, "-p", folder, "-e", folder + "/error.log"):
            shares(f"http://127.0.0.1:{port}")
            shares_folder = sorted(os.listdir(folder + "/store"))
            same(shares_folder, ["ac", "cas"])
            rot(folder + "/store/cas", f"http://127.0.0.1:{port}")


def rot(folder, url):
    """A stored blob with one byte changed is a miss."""
    for one in os.listdir(folder):
        with open(os.path.join(folder, one), "r+b") as file:
            file.seek(-100, os.SEEK_END)
            byte = file.read(1)
            file.seek(-100, os.SEEK_END)
            file.write(bytes([byte[0] ^ 1]))
    with Service("--cache-url", url) as service:
        same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
        same(service.metric("ptxopt_shared_cache_hits_total"), 0)


class Liar(socketserver.ThreadingTCPServer):
    """Answers every connection with the same bytes, or with nothing; a function gives the bytes in pieces."""
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, answer):
        liar = self
        self.answer = answer

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                try:
                    while self.request.recv(1 << 16):
                        for piece in liar.answer() if callable(liar.answer) else [liar.answer or b""]:
                            self.request.sendall(piece)
                except OSError:
                    pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


def broken():
    def rubbish(text):
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(text) + text

    lies = {
        "redis": [b"$-1\r\n", b"$5\r\nhello\r\n", b"+OK\r\n", b"-ERR no\r\n", b":7\r\n", b"rubbish\r\n", b"$999999999\r\nx", b"*1\r\n$1\r\nx\r\n"],
        "http": [rubbish(b""), rubbish(b"hello"), rubbish(b"\x12\xff\xff\xff\xff\x7f"), rubbish(b"\x12\x44\x12\x42\x0a\x40" + b"0" * 64),
                 b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", b"rubbish", rubbish(b"\x80" * 1000)],
    }
    for scheme, answers in lies.items():
        name = f"a {scheme} cache that is down, slow or answers rubbish costs a miss and no answer"
        if "cache-" + scheme not in features():
            skip(name, "not built in")
            continue

        @case(name)
        def _():
            want = optimized(KERNEL)
            with Service("--cache-url", f"{scheme}://127.0.0.1:{free_port()}") as service:
                same(service.post("/v1/optimize", KERNEL).body, want, "down")
            with Liar(None) as liar, Service("--cache-url", f"{scheme}://127.0.0.1:{liar.server_address[1]}",
                                             "--cache-timeout", 100) as service:
                begin = time.monotonic()
                for i in range(5):
                    same(service.post(f"/v1/optimize?name=n{i}", KERNEL).body, want, "slow")
                same(time.monotonic() - begin < 3, True, "one timeout, then silence")
            for answer in answers:
                with Liar(answer) as liar, Service("--cache-url", f"{scheme}://127.0.0.1:{liar.server_address[1]}",
                                                   "--cache-retry", 0) as service:
                    for i in range(2):
                        same(service.post(f"/v1/optimize?name=n{i}", KERNEL).body, want, str(answer))
                    same(service.metric("ptxopt_shared_cache_hits_total"), 0)

    slow()
    log_of_failures()

    @case("a cache of an unknown scheme is refused")
    def _():
        for wrong in ("ftp://127.0.0.1/", "rediss://", "redis://", "s3://127.0.0.1/bucket", "s3://key:secret@127.0.0.1/", "s3://key:secret@127.0.0.1/bucket?zone=1", "redis://127.0.0.1:port", "redis://host/zero", "redis://secret@127.0.0.1"):
            same("--cache-url: not of a form" in refuses_to_start("--cache-url", wrong), True, wrong)
        same("/nowhere: No such file" in refuses_to_start("--cache-url-file", "/nowhere"), True)


HEADS = {"redis": b"$%d\r\n", "http": b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n"}


def drips(head):
    """Tries for four seconds."""
    yield head % 100000
    for _ in range(80):
        time.sleep(0.05)
        yield b"x"


def pours(head):
    yield head % 900000000
    for _ in range(900):
        yield b"x" * 1000000


def slow():
    for scheme, head in HEADS.items():
        names = [f"a {scheme} cache that {does} costs a miss, one --cache-timeout and little memory"
                 for does in ("drips", "announces 900 MB")]
        for name, lie in zip(names, (drips, pours)):
            if "cache-" + scheme not in features():
                skip(name, "not built in")
                continue

            @case(name)
            def _():
                with Liar(lambda: lie(head)) as liar, \
                        Service("--cache-url", f"{scheme}://127.0.0.1:{liar.server_address[1]}", "--workers", 1,
                                "--cache-timeout", 200, "--cache-value-bytes", "1M") as service:
                    with grows_by_less(service, 48):
                        begin = time.monotonic()
                        same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
                        same(time.monotonic() - begin < 3, True, "the worker is free again")
                    same(service.metric("ptxopt_shared_cache_errors_total") > 0, True)
                    same(service.metric("ptxopt_shared_cache_hits_total"), 0)


def log_of_failures():
    name = "a shared cache that fails is in the log once, and once when it works again"
    if "cache-redis" not in features():
        skip(name, "not built in")
        return

    @case(name)
    def _():
        said = lambda: [json.loads(text)["message"].split(":")[0] for text in service.log if '"shared-cache"' in text]
        with Liar(b"-ERR no\r\n") as liar, Service("--cache-url", f"redis://127.0.0.1:{liar.server_address[1]}",
                                                   "--cache-retry", 0) as service:
            for i in range(3):
                service.post(f"/v1/optimize?name=n{i}", KERNEL)
            wait_until(lambda: said() == ["--cache-url fails"])
            liar.answer = b"$-1\r\n"
            service.post("/v1/optimize", KERNEL)
            wait_until(lambda: said()[:2] == ["--cache-url fails", "it works again"])
