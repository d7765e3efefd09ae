"""The client's address behind proxies: X-Forwarded-For, Forwarded and the PROXY protocol, and which senders are trusted."""
import json
import shutil
import socket
import ssl
import struct
import subprocess

from harness import *

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"


def main():
    with Service("--trusted-proxy", "127.0.0.1", "--trusted-proxy=10.0.0.0/8", "--trusted-proxy", "fd00::/8") as service:
        headers(service)
        protocol(service)
    untrusted()
    others()


def client_of(service, *lines, first=b"", source=None, path_name="/v1/version"):
    """The client's address in the log; the status instead if that is not 200."""
    name = f"proxied-{client_of.count}"
    client_of.count += 1
    request = f"GET {path_name} HTTP/1.1\r\n" + "\r\n".join(["Host: localhost", "Connection: close", "X-Request-Id: " + name, *lines, "", ""])
    got = service.raw(first + request.encode(), source=source)
    status = got.split(b" ", 2)[1:2]
    if status != [b"200"]:
        return int(status[0]) if status else None
    find = lambda: [one for one in list(service.log) if f'"{name}"' in one]
    wait_until(find)
    return json.loads(find()[0])["client"]


client_of.count = 0


def headers(service):
    @case("X-Forwarded-For names the last client that is no trusted proxy")
    def _():
        for value, client in (("192.0.2.7", "192.0.2.7"), ("6.6.6.6, 192.0.2.7", "192.0.2.7"), ("192.0.2.7, 10.1.2.3", "192.0.2.7"),
                              ("192.0.2.7, 10.1.2.3 ,127.0.0.1", "192.0.2.7"), ("2001:db8::1", "2001:db8::1"), ("[2001:db8::1]:443", "2001:db8::1"),
                              ("192.0.2.7:80", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("192.0.2.7, ::ffff:10.0.0.1", "192.0.2.7"),
                              ("192.0.2.7, fd00::5", "192.0.2.7"), ("unknown", "127.0.0.1"), ("192.0.2.7, nonsense, 10.0.0.1", "10.0.0.1"),
                              ("", "127.0.0.1"), ("10.0.0.1", "10.0.0.1")):
            same(client_of(service, "X-Forwarded-For: " + value), client, value)
        same(client_of(service, "X-Forwarded-For: 6.6.6.6", "x-forwarded-for: 192.0.2.7"), "192.0.2.7", "two lines")
        same(client_of(service, "X-Forwarded-For: " + ", ".join(["1.2.3.4"] + ["10.0.0.1"] * 100)), "10.0.0.1", "a long chain ends somewhere")

    @case("Forwarded is read as RFC 7239 has it, and what is malformed is 400")
    def _():
        for value, client in (("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"), ('For="[2001:db8:cafe::17]:4711"', "2001:db8:cafe::17"),
                              ("for=6.6.6.6, for=192.0.2.43", "192.0.2.43"), ("proto=https ; FOR=192.0.2.43", "192.0.2.43"),
                              ("for=unknown", "127.0.0.1"), ("for=_hidden, for=10.0.0.9", "10.0.0.9"), ("proto=http", "127.0.0.1"),
                              ('for="192.0.2.4:80"', "192.0.2.4")):
            same(client_of(service, "Forwarded: " + value), client, value)
        for value in ('for="6.6.6.6, for="192.0.2.4"', "for", "for=", "=1.2.3.4", 'for="1.2.3.4', 'for="1.2.3.4\\"', "for=1.2.3.4,", ";for=1.2.3.4", "for=1.2.3.4 x"):
            same(client_of(service, "Forwarded: " + value), 400, value)

    @case("X-Forwarded-For and Forwarded that disagree are 400: one of them is not the proxy's")
    def _():
        same(client_of(service, "X-Forwarded-For: 192.0.2.7", "Forwarded: for=6.6.6.6"), 400)
        same(client_of(service, "X-Forwarded-For: 6.6.6.6, 192.0.2.7", "Forwarded: for=192.0.2.7"), "192.0.2.7")


def v2(command=0x21, family=0x11, source="192.0.2.8", more=b"", len_more=0):
    body = more
    if family:
        kind = {0x11: socket.AF_INET, 0x21: socket.AF_INET6}[family]
        body = socket.inet_pton(kind, source) * 2 + struct.pack("!HH", 1000, 80) + more
    return b"\r\n\r\n\0\r\nQUIT\n" + struct.pack("!BBH", command, family, len(body) + len_more) + body


def protocol(service):
    @case("the PROXY protocol, version 1 and 2, names the client")
    def _():
        for first, client in ((b"PROXY TCP4 192.0.2.8 127.0.0.1 1000 80\r\n", "192.0.2.8"), (b"PROXY TCP6 2001:db8::8 ::1 1000 80\r\n", "2001:db8::8"),
                              (b"PROXY UNKNOWN\r\n", "127.0.0.1"), (b"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n", "127.0.0.1"),
                              (v2(), "192.0.2.8"), (v2(family=0x21, source="2001:db8::8"), "2001:db8::8"), (v2(command=0x20), "127.0.0.1"),
                              (v2(command=0x20, family=0), "127.0.0.1"), (v2(more=b"\x02\0\x03abc"), "192.0.2.8"), (v2(family=0), "127.0.0.1")):
            same(client_of(service, first=first), client, repr(first))

    @case("what the PROXY protocol names is a proxy's word again only when it is trusted")
    def _():
        same(client_of(service, "X-Forwarded-For: 6.6.6.6", first=v2()), "192.0.2.8")
        same(client_of(service, "X-Forwarded-For: 192.0.2.7", first=v2(source="10.0.0.3")), "192.0.2.7")

    @case("a PROXY header in pieces is waited for, and a malformed one ends the connection")
    def _():
        for header in (b"PROXY TCP4 192.0.2.8 127.0.0.1 1000 80\r\n", v2(more=b"x" * 300)):
            with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as link:
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for byte in header:
                    link.sendall(bytes([byte]))
                link.sendall(GET + b"\r\n")
                same(link.recv(1000).startswith(b"HTTP/1.1 200"), True)
        for wrong in (b"PROXY TCP4 192.0.2.8 127.0.0.1 1000\r\n", b"PROXY TCP5 192.0.2.8 127.0.0.1 1 2\r\n", b"PROXY TCP4 ::1 ::1 1 2\r\n",
                      b"PROXY TCP4 192.0.2.8 127.0.0.1 1 2 3\r\n", b"PROXY " + b"x" * 200, v2(command=0x31), v2(command=0x22),
                      v2()[:20][:14] + b"\0\4" + b"abcd", b"PROXY TCP4 192.0.2.8 127.0.0.1\0 1 2\r\n", v2(len_more=5000)):
            same(service.raw(wrong + GET + b"\r\n"), b"", repr(wrong))
        same(service.ask("GET", "/healthz").status, 200)

    @case("the limit on connections of an address is for clients, not for their proxy")
    def _():
        with Service("--trusted-proxy", "127.0.0.1", "--max-connections-per-address", 2) as few:
            links = [socket.create_connection(("127.0.0.1", few.port), timeout=HANGS) for _ in range(6)]
            for link, client in zip(links, (b"192.0.2.1", b"192.0.2.1", b"192.0.2.1", b"192.0.2.2", b"192.0.2.2")):
                link.sendall(b"PROXY TCP4 " + client + b" 127.0.0.1 1 2\r\n" + GET.replace(b"Connection: close\r\n", b"") + b"\r\n")
            got = [answered(link) for link in links[:5]]
            same((sum(got[:3]), got[3:]), (2, [True, True]))
            links[5].sendall(GET + b"\r\n")
            same(answered(links[5]), True)
            for link in links:
                link.close()


def answered(link):
    try:
        return link.recv(1000).startswith(b"HTTP/1.1 200")
    except ConnectionResetError:
        return False


def untrusted():
    @case("from others X-Forwarded-For and Forwarded mean nothing, and the PROXY protocol is 400")
    def _():
        with Service("--trusted-proxy", "10.0.0.0/8") as service:
            same(client_of(service, "X-Forwarded-For: 192.0.2.7", "Forwarded: nonsense"), "127.0.0.1")
            same(client_of(service, first=b"PROXY TCP4 192.0.2.8 127.0.0.1 1000 80\r\n"), 400)
            same(client_of(service, first=v2()), 400)

    @case("a block of addresses ends at its last bit")
    def _():
        with Service("--trusted-proxy", "127.0.0.4/30") as service:
            same([client_of(service, "X-Forwarded-For: 192.0.2.7", source=f"127.0.0.{last}") for last in (3, 4, 7, 8)],
                 ["127.0.0.3", "192.0.2.7", "192.0.2.7", "127.0.0.8"])

    @case("a --trusted-proxy that is no address or block of them is refused")
    def _():
        for wrong in ("", "localhost", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/", "10.0.0.0/8x", "1.2.3.4/-1"):
            same("expected an IP address, ADDRESS/BITS or unix" in refuses_to_start("--trusted-proxy", wrong), True, wrong)


def others():
    @case("on a unix socket, --trusted-proxy unix believes who is there")
    def _():
        where = path("proxied.sock")
        with Service("--trusted-proxy", "unix", listen="unix:" + where) as service:
            service.ask("GET", "/v1/version", headers={"X-Forwarded-For": "192.0.2.7"}, check=False)
            wait_until(lambda: any('"client":"192.0.2.7"' in one for one in service.log))

    @case("who has a token has its name and its address in the log")
    def _():
        token = "0123456789abcdef"
        with Service("--trusted-proxy", "127.0.0.1", "--tokens", text_file("proxied-tokens", "farm " + token)) as service:
            same(client_of(service, "X-Forwarded-For: 192.0.2.7", "Authorization: Bearer " + token), "farm")
            same(any('"client":"farm","address":"192.0.2.7"' in one for one in service.log), True)

    name = "the PROXY protocol comes before TLS"
    if not shutil.which("openssl") or "tls" not in features():
        skip(name, "not built in, or no openssl here")
        return

    @case(name)
    def _():
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=proxied",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path("proxied.key"), "-out", path("proxied.crt")],
                       check=True, capture_output=True)
        context = ssl.create_default_context(cafile=path("proxied.crt"))
        with Service("--trusted-proxy", "127.0.0.1", "--tls-cert", path("proxied.crt"), "--tls-key", path("proxied.key")) as service:
            for header in (b"PROXY TCP4 192.0.2.8 127.0.0.1 1 2\r\n", v2(), b""):
                with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as link:
                    link.sendall(header)
                    with context.wrap_socket(link, server_hostname="127.0.0.1") as secure:
                        secure.sendall(b"GET /v1/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        same(secure.recv(1000).startswith(b"HTTP/1.1 200"), True)
            counted = lambda client: sum(f'"client":"{client}"' in one for one in list(service.log))
            wait_until(lambda: (counted("192.0.2.8"), counted("127.0.0.1")) == (2, 1))
