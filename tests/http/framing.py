"""Heads and bodies that a proxy might read in another way: each gets 400, and nothing after it is read as a request."""
import json
import re
import shutil
import socket
import ssl
import subprocess

from harness import *

KERNEL = example("gemm-1cta")
HOST = b"Host: localhost\r\n"
SECOND = b"GET /v1/version HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
POST = b"POST /v1/optimize HTTP/1.1\r\n" + HOST + b"Content-Type: text/x-ptx\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n"


def main():
    with Service() as service:
        heads(service)
        bodies(service)
        ambiguous(service)
        right(service)
        refusals(service)
    if shutil.which("openssl") and "tls" in features():
        tls()
    else:
        skip("TLS connections are held to the same", "not built in, or no openssl here")


def answers_of(got):
    """The answers in the bytes, as status and body; the length of each must be correct."""
    found = []
    while got:
        head, _, rest = got.partition(b"\r\n\r\n")
        length = int(re.search(rb"(?i)\ncontent-length: (\d+)", head).group(1))
        found.append((int(head.split(b" ", 2)[1]), rest[:length]))
        got = rest[length:]
    return found


def is_refused(got, status=400, code="ambiguous"):
    found = answers_of(got)
    same([one for one, _ in found], [status])
    problem = json.loads(found[0][1])
    same((problem["status"], problem["type"]), (status, "urn:ptxopt:problem:" + code))


def heads(service):
    def refused(name, lines, code="ambiguous", first=b"GET /healthz HTTP/1.1\r\n"):
        @case(name + " is 400, and ends the connection")
        def _():
            is_refused(service.raw(first + lines + b"\r\n" + SECOND), code=code)

    refused("a blank before a header's colon", HOST + b"X-Y : z\r\n")
    refused("a tab before a header's colon", HOST + b"X-Y\t: z\r\n")
    refused("a blank before the colon of Transfer-Encoding", HOST + b"Transfer-Encoding : chunked\r\n")
    refused("a folded line", HOST + b"X-Y: z\r\n more\r\n")
    refused("a first line that is folded", b" x\r\n" + HOST)
    refused("NUL in a value", HOST + b"X-Y: a\0b\r\n")
    refused("NUL in a name", HOST + b"X\0Y: a\r\n")
    refused("another control character in a value", HOST + b"X-Y: a\x01b\r\n")
    refused("an empty name", HOST + b": a\r\n")
    refused("a name with a blank in it", HOST + b"X Y: a\r\n")
    refused("a line without a colon", HOST + b"X-Y\r\n")
    refused("a line that a line feed ends", HOST + b"X-Y: a\n")
    refused("a request line that a line feed ends", HOST, first=b"GET /healthz HTTP/1.1\n")
    refused("a head that a line feed ends", HOST[:-2] + b"\n")
    refused("a carriage return in a value", HOST + b"X-Y: a\rb\r\n")
    refused("a line feed before a request", HOST, first=b"\nGET /healthz HTTP/1.1\r\n")
    refused("Content-Length with a sign", HOST + b"Content-Length: +5\r\n")
    refused("Content-Length in hexadecimal", HOST + b"Content-Length: 0x5\r\n")
    refused("Content-Length without digits", HOST + b"Content-Length:\r\n")
    refused("Content-Length as a list", HOST + b"Content-Length: 5, 5\r\n")
    refused("Content-Length over 2^63", HOST + b"Content-Length: 9999999999999999999\r\n")
    refused("Transfer-Encoding in HTTP/1.0", HOST + b"Transfer-Encoding: chunked\r\n", first=b"GET /healthz HTTP/1.0\r\n")
    refused("HTTP/1.1 without Host", b"", "bad-request")
    for line_of in (b"GET  /healthz HTTP/1.1", b"GET /healthz  HTTP/1.1", b"GET /healthz HTTP/1.1 ", b"GET /heal thz HTTP/1.1",
                    b"GET /healthz", b"GET /healthz HTTP/2.0", b"GET /healthz http/1.1", b"G\0T /healthz HTTP/1.1",
                    b"GET\t/healthz HTTP/1.1", b"GET /healthz\0 HTTP/1.1", b" GET /healthz HTTP/1.1", b"GET HTTP/1.1"):
        refused(f"the request line {line_of!r:.40}", HOST, "bad-request", line_of + b"\r\n")


def bodies(service):
    def refused(name, body):
        @case(name + " is 400, and ends the connection")
        def _():
            is_refused(service.raw(CHUNKED + b"\r\n" + body + SECOND))

    refused("a chunk's size that is no number", b"zz\r\nxx\r\n0\r\n\r\n")
    refused("a chunk's size with a sign", b"+1\r\nx\r\n0\r\n\r\n")
    refused("a chunk's size with 0x", b"0x1\r\nx\r\n0\r\n\r\n")
    refused("a chunk's size of no digits", b"\r\nx\r\n0\r\n\r\n")
    refused("a chunk's size with a blank before it", b" 1\r\nx\r\n0\r\n\r\n")
    refused("a chunk's size with a blank after it", b"1 \r\nx\r\n0\r\n\r\n")
    refused("a chunk of 2^64 bytes", b"10000000000000001\r\nx\r\n0\r\n\r\n")
    refused("a chunk's size that a line feed ends", b"1\nx\r\n0\r\n\r\n")
    refused("a chunk that a line feed ends", b"1\r\nx\n0\r\n\r\n")
    refused("a chunk longer than it says", b"1\r\nxxxx\r\n0\r\n\r\n")
    refused("an extension with a NUL", b"1;a=\0\r\nx\r\n0\r\n\r\n")
    refused("an endless extension", b"1;" + b"a" * 5000 + b"\r\nx\r\n0\r\n\r\n")
    refused("a trailer that is no header line", b"1\r\nx\r\n0\r\nX Y: z\r\n\r\n")
    refused("a trailer that a line feed ends", b"1\r\nx\r\n0\r\n\n")
    refused("a trailer of Transfer-Encoding", b"1\r\nx\r\n0\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n")

    @case("a batch whose chunks are wrong is 400, and ends the connection")
    def _():
        line_of = json.dumps({"source": MINIMAL.decode()}).encode() + b"\n"
        head = CHUNKED.replace(b"text/x-ptx", b"application/x-ndjson").replace(b"optimize", b"batch")
        is_refused(service.raw(head + b"\r\n%x\r\n%sX0\r\n\r\n" % (len(line_of), line_of) + SECOND))

    @case("a request that is refused anyway ends the connection, too, when its chunks are wrong")
    def _():
        is_refused(service.raw(CHUNKED.replace(b"text/x-ptx", b"image/png") + b"\r\n1\nx\r\n0\r\n\r\n" + SECOND), 415, "media-type")


def ambiguous(service):
    def refused(name, head, body):
        @case(name + " is 400, and ends the connection")
        def _():
            is_refused(service.raw(head + b"\r\n" + body))

    refused("a body of two lengths", POST + b"Content-Length: %d\r\nContent-Length: 0\r\n" % len(SECOND), SECOND)
    refused("a body of the same length twice", POST + b"Content-Length: 5\r\nContent-Length: 5\r\n", b"12345")
    refused("a length beside a transfer coding", POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            b"0\r\n\r\n" + SECOND)
    for coding in (b"xchunked", b"gzip, chunked", b"chunked, chunked", b"chunked\r\nTransfer-Encoding: identity",
                   b"chunked\r\nTransfer-Encoding: chunked", b"\x0bchunked", b""):
        refused("Transfer-Encoding " + ascii(coding.replace(b"\r\n", b" and "))[1:],
                POST + b"Transfer-Encoding: " + coding + b"\r\n", SECOND)
    refused("an ambiguous head whose body does not come", b"GET /healthz HTTP/1.1\r\n" + HOST * 2 +
            b"Content-Length: 50\r\n", b"hello")
    refused("a second Host", b"GET /healthz HTTP/1.1\r\n" + HOST * 2, SECOND)

    @case("what comes before an ambiguous head is answered")
    def _():
        first = POST + b"Content-Length: %d\r\n\r\n" % len(KERNEL) + KERNEL
        got = answers_of(service.raw(first + b"GET /healthz HTTP/1.1\r\n" + HOST + b"X : y\r\n\r\n" + SECOND))
        same([status for status, _ in got], [200, 400])
        same(got[0][1], optimized(KERNEL))


def right(service):
    def posted(body, *more):
        return answers_of(service.raw(CHUNKED + b"".join(more) + b"Connection: close\r\n\r\n" + body))

    @case("chunks of any size, with extensions and trailers, are the text that they are")
    def _():
        for size in (1, 7, 4096, len(KERNEL)):
            pieces = [KERNEL[at:at + size] for at in range(0, len(KERNEL), size)]
            chunks = b"".join(b"%X;part=%d\r\n%s\r\n" % (len(piece), i, piece) for i, piece in enumerate(pieces))
            same(posted(chunks + b"000\r\nX-Checksum: 7\r\n\r\n"), [(200, optimized(KERNEL))], str(size))

    @case("blanks around what says how long a body is change nothing about it")
    def _():
        for line_of, body in ((b"Transfer-Encoding:\t chunked \t", b"%x\r\n%s\r\n0\r\n\r\n" % (len(MINIMAL), MINIMAL)),
                              (b"Content-Length:%d \t" % len(MINIMAL), MINIMAL)):
            found = answers_of(service.raw(POST + line_of + b"\r\n\r\n" + body + SECOND))
            same([status for status, _ in found], [200, 200], repr(line_of))

    @case("requests that come a byte at a time are answered, one after the other")
    def _():
        chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (len(MINIMAL), MINIMAL)
        data = b"\r\n" + CHUNKED + b"\r\n" + chunk + POST + b"Content-Length: %d\r\n\r\n" % len(MINIMAL) + MINIMAL + SECOND
        with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as link:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for i in range(len(data)):
                link.sendall(data[i:i + 1])
            got = b""
            while block := link.recv(1 << 16):
                got += block
        same([status for status, _ in answers_of(got)], [200] * 3)

    @case("bytes over 127 in a value, empty values and blanks around them are taken")
    def _():
        got = service.raw(b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-Y: \xc3\xa9\r\nX-Z:\r\nX-A:\t b \t\r\nConnection: close\r\n\r\n")
        same(answers_of(got), [(200, b"ok\n")])


def refusals(service):
    @case("2,000 parameters are answered at once, and too many of them are 414")
    def _():
        for many, status in ((2000, 200), (2040, 200), (2500, 414), (8000, 414)):
            got = service.raw(b"GET /healthz?" + b"&".join([b"a=b"] * many) + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
            same([one for one, _ in answers_of(got)], [status], f"{many} parameters")
        wait_until(lambda: sum('"status":414' in text for text in service.log) == 2)

    @case("what is refused before its request is known has one head, one problem and a line in the log")
    def _():
        for data, status in ((b"GET /" + b"y" * 200000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414),
                             (b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 200000 + b"\r\n\r\n", 431),
                             (b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 5000 + b"\r\n", 431),
                             (b"\x16\x03\x01\x02" + bytes(range(256)) + b"\r\n\r\n", 400)):
            seen = sum(f'"status":{status}' in text for text in service.log)
            found = answers_of(service.raw(data))
            same([one for one, _ in found], [status])
            same(json.loads(found[0][1])["status"], status)
            wait_until(lambda: sum(f'"status":{status}' in text for text in service.log) > seen)

    @case("a refusal reaches a client that goes on sending")
    def _():
        is_refused(service.raw(b"GET /healthz HTTP/1.1\r\n" + HOST + b"X : y\r\n\r\n" + b"x" * (16 << 20)))

    @case("a head full of cookies or of short lines is answered, not given up")
    def _():
        for lines in (b"Cookie: " + b"a=b;" * 8000 + b"\r\n", b"a: b\r\n" * 1900):
            got = service.raw(b"GET /v1/version HTTP/1.1\r\n" + HOST + lines + b"Connection: close\r\n\r\n")
            same([one for one, _ in answers_of(got)], [200])


def tls():
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=x", "-keyout", path("framing.key"), "-out", path("framing.crt")], check=True, capture_output=True)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    @case("TLS connections are held to the same")
    def _():
        with Service("--tls-cert", path("framing.crt"), "--tls-key", path("framing.key"), context=context) as service:
            def raw(data):
                with context.wrap_socket(socket.create_connection(("127.0.0.1", service.port), timeout=HANGS)) as link:
                    link.sendall(data)
                    got = b""
                    while block := link.recv(1 << 16):
                        got += block
                    return got
            is_refused(raw(b"GET /healthz HTTP/1.1\r\n" + HOST + b"X : y\r\n\r\n" + SECOND))
            is_refused(raw(CHUNKED + b"\r\n1\nx\r\n0\r\n\r\n" + SECOND))
            body = KERNEL * 20
            chunks = b"".join(b"%x\r\n%s\r\n" % (len(body[at:at + 3000]), body[at:at + 3000]) for at in range(0, len(body), 3000))
            first = CHUNKED + b"\r\n" + chunks + b"0\r\n\r\n"
            second = POST + b"Content-Length: %d\r\n\r\n" % len(body) + body
            found = answers_of(raw(first + second + SECOND))
            same([status for status, _ in found], [200] * 3)
            same((found[0][1], found[1][1]), (optimized(body), optimized(body)))
