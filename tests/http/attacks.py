"""Attacks by hostile clients: each is a function of a service's port, a source address and a random generator, and ends
within seconds. The answers to an attack do not matter; other clients must get theirs."""
import gzip
import json
import os
import socket
import struct
import time

HANGS = 300  # seconds

HEAD = b".version 8.7\n.target sm_100a\n.address_size 64\n// tcgen05: else nobody reads on\n"
HOST = b"Host: localhost\r\n"
MOST = 4 << 20  # bytes of a text


# ---- small texts with a large cost ----

def kernel(lines, declared=b""):
    return HEAD + b".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n" + declared + \
        b"\n".join(lines) + b"\nret;\n}\n"


def mma_and_fences(n):
    return kernel([b"tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
                   b"tcgen05.fence::before_thread_sync;"] * n)


def waits(n):
    return kernel([b"tcgen05.wait::ld.sync.aligned;"] * n)


def branches(n):
    names = b", ".join(b"L%d" % i for i in range(n))
    blocks = [b"L%d: tcgen05.wait::ld.sync.aligned; brx.idx %%r1, ts;" % i for i in range(n)]
    return kernel([b"ts: .branchtargets " + names + b";"] + blocks)


def loads(n):
    registers = b".reg .b32 %%t<%d>;\n" % (n + 1)
    return kernel([b"tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%t%d}, [%%r1];" % i for i in range(n)] +
                  [b"tcgen05.wait::ld.sync.aligned;"], registers)


def comments(n):
    return HEAD + b"//\n" * n


def labels(n):
    return kernel([b"L%d:" % i for i in range(n)])


def blocks(n):
    return kernel([b"{"] * n + [b"}"] * n)


def functions(n):
    return HEAD + b"".join(b".func f%d() { ret; }\n" % i for i in range(n))


def garbage(n):
    return HEAD + b"[" * n


TEXTS = ((mma_and_fences, 3000), (waits, 16000), (branches, 2000), (loads, 16000), (comments, 400000), (labels, 60000),
         (blocks, 60000), (functions, 20000), (garbage, 1000000))


def text(draw):
    make, most = draw.choice(TEXTS)
    return make(draw.choice((most, most // 10, draw.randint(1, most))))[:MOST] + b"// %d\n" % draw.getrandbits(60)


# ---- connections ----

def connect(port, source, timeout=HANGS):
    return socket.create_connection(("127.0.0.1", port), timeout=timeout, source_address=(source, 0))


def send(port, source, data, reads=True, timeout=HANGS):
    with connect(port, source, timeout) as link:
        link.sendall(data)
        while reads and link.recv(1 << 16):
            pass


def post(body, where=b"/v1/optimize", kind=b"text/x-ptx", *lines):
    return b"".join((b"POST ", where, b" HTTP/1.1\r\n", HOST, b"Connection: close\r\nContent-Type: ", kind,
                     b"\r\nContent-Length: %d\r\n" % len(body), *lines, b"\r\n", body))


def drip(port, source, head, piece, seconds):
    with connect(port, source, 0.2) as link:
        link.sendall(head)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            link.sendall(piece)
            time.sleep(0.1)


# ---- attacks ----

def costly_text(port, source, draw):
    where = draw.choice((b"/v1/optimize", b"/v1/report?format=html", b"/v1/report?format=json"))
    send(port, source, post(text(draw), where))


def costly_lines(port, source, draw):
    lines = [json.dumps({"source": text(draw).decode()}).encode() for _ in range(3)]
    send(port, source, post(b"\n".join(lines), b"/v1/batch", b"application/x-ndjson"))


def costly_pair(port, source, draw):
    body = json.dumps({"before": text(draw).decode(), "after": text(draw).decode()}).encode()
    send(port, source, post(body, b"/v1/verify", b"application/json"))


def bomb(port, source, draw):
    plain = draw.choice((b"\0", b"//\n", b"\n", b"{")) * (24 << 20)
    where, kind = draw.choice(((b"/v1/optimize", b"text/x-ptx"), (b"/v1/batch", b"application/x-ndjson")))
    send(port, source, post(gzip.compress(plain, 1), where, kind, b"Content-Encoding: gzip\r\n"))


def wild_json(port, source, draw):
    body = draw.choice((b"[" * 200000, b'{"source":' * 100000, b'{"source":"' + b"\\u0041" * 300000 + b'"}', b'{"source":"\xff"}',
                        b'{"source":"","options":{"only":[' + b'"0123456789ab",' * 50000 + b'"0123456789ab"]}}'))
    send(port, source, post(body, kind=b"application/json"))


def wild_head(port, source, draw):
    data = bytearray(post(HEAD, b"/v1/optimize", b"text/x-ptx", b"X-Y: z\r\n"))
    for _ in range(draw.randint(1, 5)):
        data[draw.randrange(len(data))] = draw.choice((0, 9, 10, 13, 32, 58, draw.randrange(256)))
    with connect(port, source) as link:
        link.sendall(bytes(data))
        link.shutdown(socket.SHUT_WR)
        while link.recv(1 << 16):
            pass


def wild_chunks(port, source, draw):
    size = draw.choice((b"1", b"fffffffffffffff", b"-1", b"1 ", b"1;" + b"a" * 900, b"", b"0\r\nX: y"))
    head = b"POST /v1/optimize HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"
    send(port, source, head + size + b"\r\nx\r\n0\r\n\r\n" + b"GET /metrics HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")


def large_head(port, source, draw):
    lines = draw.choice((b"X: " + b"y" * 200000 + b"\r\n", b"a: b\r\n" * 5000, b"Cookie: " + b"a=b; " * 6000 + b"\r\n"))
    query = draw.choice((b"", b"?" + b"&".join([b"a=b"] * 2000), b"?" + b"a" * 60000))
    send(port, source, b"GET /healthz" + query + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\n" + lines + b"\r\n")


def foreign_page(port, source, draw):
    lines = draw.choice((b"Host: evil.example\r\n", HOST + b"Origin: https://evil.example\r\n", HOST + b"Sec-Fetch-Site: cross-site\r\n"))
    send(port, source, b"POST /v1/optimize HTTP/1.1\r\n" + lines + b"Content-Length: 1000000\r\nConnection: close\r\n\r\n" + b"x" * 1000000)


def slow_client(port, source, draw):
    chunked = HOST + b"Transfer-Encoding: chunked\r\n\r\n"
    drip(port, source, *draw.choice((
        (b"GET /healthz HTTP/1.1\r\n", b"X: y\r\n"), (b"POST /v1/optimize HTTP/1.1\r\n" + chunked, b"1\r\nx\r\n"),
        (b"POST /v1/batch HTTP/1.1\r\nContent-Type: application/x-ndjson\r\n" + chunked, b"1\r\n\n\r\n"), (b"", b"\r\n"))),
        draw.uniform(1, 4))


def deaf_client(port, source, draw):
    """Requests much and reads none of the answers."""
    with socket.socket() as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.bind((source, 0))
        link.connect(("127.0.0.1", port))
        link.sendall(b"GET /openapi.json HTTP/1.1\r\n" + HOST + b"\r\n" + post(waits(2000), b"/v1/report?format=html"))
        time.sleep(draw.uniform(0.5, 3))


def vanishing_client(port, source, draw):
    data = post(text(draw))
    with connect(port, source) as link:
        link.sendall(data[:draw.randrange(len(data) + 1)])
        if draw.random() < 0.5:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def many_connections(port, source, draw):
    links = []
    try:
        for _ in range(100):
            links.append(connect(port, source))
        time.sleep(draw.uniform(0.2, 1))
    finally:
        for link in links:
            link.close()


def many_at_once(port, source, draw):
    """A pipeline of requests that need no worker."""
    one = b"GET " + draw.choice((b"/healthz", b"/v1/rules", b"/metrics", b"/nothing", b"/v1/results/" + b"0" * 64)) + b" HTTP/1.1\r\n" + HOST + b"\r\n"
    send(port, source, one * 300 + one.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))


def noise(port, source, draw):
    send(port, source, os.urandom(draw.randrange(100000)) + b"\r\n\r\n")


ATTACKS = (costly_text, costly_text, costly_lines, costly_pair, bomb, wild_json, wild_head, wild_head, wild_chunks, large_head,
           foreign_page, slow_client, slow_client, deaf_client, vanishing_client, many_connections, many_at_once, noise)


def attack(port, source, draw):
    try:
        draw.choice(ATTACKS)(port, source, draw)
    except OSError:
        pass
