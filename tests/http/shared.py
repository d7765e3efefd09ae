"""Replicas trust only signed answers of a shared cache, or PTX that the checker proves again. The cache is one of this
test, with the contents that the test chooses."""
import hashlib
import http.server
import struct
import threading

from harness import *

KERNEL = example("gemm-1cta")
KEY = "0123456789abcdef0123456789abcdef"
ASKED = (("/v1/optimize", "text/x-ptx"), ("/v1/optimize", "application/json"), ("/v1/report?format=html", "*/*"))


class Store(http.server.ThreadingHTTPServer):
    """Bazel's remote cache in memory; counts requests."""
    daemon_threads = True

    def __init__(self):
        self.held, self.gets, self.puts = {}, 0, 0
        store = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status, body=b""):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                store.gets += 1
                body = store.held.get(self.path)
                self.answer(404 if body is None else 200, body or b"")

            def do_PUT(self):
                store.puts += 1
                store.held[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
                self.answer(200)

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def blobs(self):
        return {name: blob for name, blob in self.held.items() if name.startswith("/cas/")}

    def replace(self, name, blob):
        """Replaces the entry of a key, as anyone who may write there can: the action names the new blob."""
        digest = hashlib.sha256(blob).hexdigest()
        old = name.rsplit("/", 1)[1].encode()
        for action, value in self.held.items():
            if action.startswith("/ac/") and old in value:
                self.held[action] = value.replace(old, digest.encode())
        del self.held[name]
        self.held["/cas/" + digest] = blob


# ---- what is stored: magic, key, digest, then numbers of 8 bytes and texts with their lengths ----

def unpack(blob):
    head, rest = blob[:72], blob[136:]
    number = lambda at: struct.unpack_from("<Q", rest, at)[0]
    status, keep, count = number(0), number(8), number(16)
    at, fields = 24, []
    for _ in range(2 * count + 1):
        size = number(at)
        fields.append(rest[at + 8:at + 8 + size])
        at += 8 + size
    same(at, len(rest))
    return head, status, keep, list(zip(fields[:-1:2], fields[1:-1:2])), fields[-1]


def pack(head, status, keep, fields, body):
    texts = [text for field in fields for text in field] + [body]
    packed = struct.pack("<QQQ", status, keep, len(fields)) + b"".join(struct.pack("<Q", len(one)) + one for one in texts)
    return head + hashlib.sha256(packed).hexdigest().encode() + packed


def main():
    if "cache-http" not in features():
        skip("what is believed of a shared cache", "not built in")
        return
    rotten()
    signed()
    unsigned()
    proxies()


def cache_of(store):
    """The options for the cache. On a busy machine a late answer must not become a miss."""
    return ("--cache-url", store.url, "--cache-timeout", 5000)


def ask(service, where="/v1/optimize", kind="text/x-ptx", text=KERNEL):
    return service.post(where, text, Accept=kind)


def counts(service):
    return tuple(int(service.metric(f"ptxopt_shared_cache_{one}_total")) for one in ("hits", "errors"))


def rotten():
    spoil = {
        "one byte changed": lambda blob: blob[:-5] + bytes([blob[-5] ^ 1]) + blob[-4:],
        "the end cut off": lambda blob: blob[:-1],
        "nothing": lambda blob: b"",
        "more than --cache-value-bytes": lambda blob: blob * 400,
    }
    for what, change in spoil.items():
        @case(f"an entry with {what} is a miss, is mended, and silences the cache for nobody")
        def _():
            with Store() as store:
                options = (*cache_of(store), "--cache-retry", 3600000, "--cache-value-bytes", "1M")
                with Service(*options) as first:
                    ask(first), ask(first, "/v1/optimize?style=squeeze")
                for name, blob in store.blobs().items():
                    store.held[name] = change(blob)
                with Service(*options) as second:
                    same(ask(second).body, optimized(KERNEL))
                    same(ask(second, "/v1/optimize?style=squeeze").body, optimized(KERNEL, "--squeeze"))
                    same(counts(second), (0, 2))
                with Service(*options) as third:
                    same(ask(third).body, optimized(KERNEL))
                    same(counts(third), (1, 0))

    @case("an action that names no blob is a miss, is mended, and silences the cache for nobody")
    def _():
        with Store() as store:
            options = (*cache_of(store), "--cache-retry", 3600000)
            for text in (b"", b"hello", b"\x12\xff\xff\xff\xff\x7f"):
                with Service(*options) as first:
                    ask(first)
                for name in store.held:
                    if name.startswith("/ac/"):
                        store.held[name] = text
                with Service(*options) as second:
                    same((ask(second).body, counts(second)), (optimized(KERNEL), (0, 1)))
                with Service(*options) as third:
                    same((ask(third).body, counts(third)), (optimized(KERNEL), (1, 0)))


def signed():
    file, other = text_file("cache-key", KEY + "\n"), text_file("cache-key-2", KEY.upper() + "\n")

    @case("with --cache-key-file replicas share answers of every kind, by their names too")
    def _():
        with Store() as store, Service(*cache_of(store), "--cache-key-file", file) as first, \
                Service(*cache_of(store), "--cache-key-file", file) as second:
            answers = [ask(first, *one) for one in ASKED]
            again = [ask(second, *one) for one in ASKED]
            same([one.body for one in again], [one.body for one in answers])
            shown = ("Content-Type", "ETag", "Content-Location", "Ptxopt-Deleted", "Content-Security-Policy")
            same([[one.header(name) for name in shown] for one in again], [[one.header(name) for name in shown] for one in answers])
            same(counts(second), (3, 0))
            with Service(*cache_of(store), "--cache-key-file", file) as third:
                same(third.ask("GET", answers[1].header("Content-Location")).body, answers[1].body)

    @case("what is signed with another key or not at all is a miss, and mended")
    def _():
        for options in (("--cache-key-file", other), ()):
            with Store() as store:
                with Service(*cache_of(store), *options) as stranger:
                    where = ask(stranger).header("Content-Location")
                with Service(*cache_of(store), "--cache-key-file", file) as service:
                    same(service.ask("GET", where).status, 404)
                    same((ask(service).body, counts(service)), (optimized(KERNEL), (0, 2)))
                with Service(*cache_of(store), "--cache-key-file", file) as service:
                    same((service.ask("GET", where).status, counts(service)), (200, (1, 0)))

    @case("a signed answer under the name of another is a miss")
    def _():
        with Store() as store:
            with Service(*cache_of(store), "--cache-key-file", file) as first:
                ask(first), ask(first, "/v1/optimize?style=squeeze")
            one, two = [name for name in store.held if name.startswith("/ac/")]
            store.held[one], store.held[two] = store.held[two], store.held[one]
            with Service(*cache_of(store), "--cache-key-file", file) as second:
                same((ask(second).body, counts(second)), (optimized(KERNEL), (0, 1)))

    @case("a key file that is absent or short is refused")
    def _():
        same("shorter than 32" in refuses_to_start("--cache-key-file", text_file("short-key", "x" * 31 + "\n")), True)
        same("No such file" in refuses_to_start("--cache-key-file", path("absent")), True)


def forge(store, change):
    """Each stored answer, with correct digests."""
    for name, blob in list(store.blobs().items()):
        store.replace(name, pack(*change(*unpack(blob))))


def unsigned():
    options = (("--isolate",) if "isolate" in features() and not SANITIZED else ()), ()

    def served(change, *more):
        with Store() as store:
            with Service(*cache_of(store)) as first:
                ask(first)
            forge(store, change)
            with Service(*cache_of(store), *more) as second:
                return ask(second), counts(second)

    @case("PTX from an unsigned cache that lost a wait it needs is not served")
    def _():
        wait = next(line for line in optimized(KERNEL).splitlines() if b"tcgen05.wait" in line)
        broken = optimized(KERNEL).replace(wait, b"", 1)
        for more in options:
            answer, seen = served(lambda head, status, keep, fields, body: (head, status, keep, fields, broken), *more)
            same((answer.body, seen), (optimized(KERNEL), (0, 1)))

    @case("another text from an unsigned cache is not served, nor one that is no PTX")
    def _():
        for text in (MINIMAL, b"<script>alert(1)</script>", b"", b"\xff\xfe", b"[" * 100000):
            answer, seen = served(lambda head, status, keep, fields, body: (head, status, keep, fields, text))
            same((answer.body, seen), (optimized(KERNEL), (0, 1)), str(text[:20]))

    @case("proven PTX from an unsigned cache is served, with no header but its figures")
    def _():
        extra = [(b"Set-Cookie", b"a=b"), (b"Location", b"https://evil.example"), (b"Access-Control-Allow-Origin", b"*"),
                 (b"ETag", b'"forged"'), (b"Content-Type", b"text/html"), (b"Refresh", b"0;url=https://evil.example")]
        for more in options:
            answer, seen = served(lambda head, status, keep, fields, body: (
                head, status, keep, extra + [field for field in fields if field[0] != b"Content-Type"], body), *more)
            same((answer.body, seen), (optimized(KERNEL), (1, 0)))
            same(answer.header("Content-Type"), "text/x-ptx; charset=utf-8")
            same("forged" in answer.header("ETag"), False)
            same([name for name in ("Set-Cookie", "Location", "Access-Control-Allow-Origin", "Refresh") if answer.header(name)], [])

    @case("figures from an unsigned cache that are none are not served, nor another status")
    def _():
        figure = lambda value: lambda head, status, keep, fields, body: (
            head, status, keep, [(name, value if name == b"Ptxopt-Deleted" else old) for name, old in fields], body)
        for value in (b"", b"1\r\nSet-Cookie: a=b", b"<b>", b"1" * 1000):
            same(served(figure(value))[1], (0, 1), str(value))
        same(served(lambda head, status, keep, fields, body: (head, 302, keep, fields, body))[1], (0, 1))

    @case("of an unsigned cache nothing but PTX is asked, and nothing else is put there")
    def _():
        with Store() as store, Service(*cache_of(store), "--cache-bytes", 0) as service:
            for where, kind in ASKED[1:]:
                ask(service, where, kind)
            same((store.gets, store.puts), (0, 0))
            where = ask(service).header("Content-Location")
            same((store.gets, store.puts), (1, 2))
            same(service.ask("GET", where).status, 404)

    @case("the assumptions of a request count when a shared answer is proven again")
    def _():
        with Store() as store:
            wheres = ("/v1/optimize?no_assume=reads-commute,register-dependency&isa=9.0", "/v1/optimize?isa=8.7")
            with Service(*cache_of(store)) as first, Service(*cache_of(store)) as second:
                same([ask(second, where).body for where in wheres], [ask(first, where).body for where in wheres])
                same(counts(first), (2, 0))


def proxies():
    @case("a shared cache is asked directly, whatever the environment says of proxies")
    def _():
        with Store() as store, Store() as proxy:
            names = ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy")
            with Service(*cache_of(store), env={**{name: proxy.url for name in names}, "no_proxy": ""}) as service:
                ask(service)
                same((proxy.gets, proxy.puts, store.puts), (0, 0, 2))
