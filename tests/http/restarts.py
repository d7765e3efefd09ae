"""Replicas are restarted one after another under load: a proxy in front of them loses no request, and a client that
connects directly gets an answer or no connection."""
import signal
import socket
import threading
import time

from harness import *
from balancers import HAProxy, Nginx, free_port, program

SMALL = example("gemm-1cta")
LARGE = SMALL * 8  # more than a proxy keeps to send it again
CLIENTS = 4


def main():
    direct()
    behind("nginx", Nginx, ())
    behind("haproxy", HAProxy, ("--drain-delay", 1500))


class Load:
    """Clients that send requests until they are stopped; seen has the result of each request."""

    def __init__(self, port, keeps, texts):
        self.port, self.keeps, self.seen, self.ends = port, keeps, [], False
        self.texts = [(text, optimized(text)) for text in texts]
        self.threads = [threading.Thread(target=self.run, args=(which,)) for which in range(CLIENTS)]
        for one in self.threads:
            one.start()

    def ask(self, link, where, text, want):
        """The result, and whether the connection may be used again."""
        is_new = link.sock is None
        try:
            link.request("POST", where, text, {"Content-Type": "text/x-ptx"})
            response = link.getresponse()
            body = response.read()
            closes = (response.getheader("Connection") or "").lower() == "close"
            return ("right" if (response.status, body) == (200, want) else response.status), not closes
        except ConnectionRefusedError:
            time.sleep(0.02)
            return "refused", False
        except ConnectionResetError as error:
            # The kernel resets what nobody has accepted when the last listener closes, however soon that is.
            return "refused" if is_new else repr(error), False
        except (OSError, http.client.HTTPException) as error:
            return repr(error), False

    def run(self, which):
        link, i = None, 0
        while not self.ends:
            text, want = self.texts[i % len(self.texts)]
            i += 1
            link = link or http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANGS)
            came_to, stays = self.ask(link, f"/v1/optimize?name=n{which}-{i % 50}", text, want)
            self.seen.append(came_to)
            if not (stays and self.keeps):
                link.close()
                link = None

    def end(self):
        self.ends = True
        for one in self.threads:
            one.join()
        return self.seen


def direct():
    for keeps in (True, False):
        @case(f"SIGTERM under load: each request is answered, or its connection refused; clients {'keep their' if keeps else 'make'} connections")
        def _():
            for _ in range(3):
                service = Service()
                load = Load(service.port, keeps, [SMALL])
                wait_until(lambda: len(load.seen) > 40)
                status = service.stop()
                seen = load.end()
                same(set(seen) <= {"right", 503, "refused"}, True, str(set(seen)))
                same(status, 0)

    @case("a connection that comes while the service ends is answered")
    def _():
        service = Service()
        with socket.create_connection(("127.0.0.1", service.port)) as late, \
                socket.create_connection(("127.0.0.1", service.port)) as half:
            half.sendall(b"GET /v1/rules HTTP/1.1\r\nHo")
            service.process.send_signal(signal.SIGTERM)
            wait_until(lambda: any("draining" in text for text in service.log))
            late.sendall(b"GET /v1/rules HTTP/1.1\r\nHost: localhost\r\n\r\n")
            half.sendall(b"st: localhost\r\n\r\n")
            for one in (late, half):
                got = b""
                while True:
                    block = one.recv(1 << 16)
                    if not block:
                        break
                    got += block
                same(got.startswith(b"HTTP/1.1 200 ") and b"\r\nConnection: close\r\n" in got, True, str(got[:300]))
        same(service.stop(), 0)


def behind(name, proxy, options):
    title = f"behind {name} replicas are restarted one by one under load, and no request fails"
    if not program(name):
        skip(title, f"no {name} here")
        return

    @case(title)
    def _():
        ports = [free_port() for _ in range(3)]
        replicas = [Service("--max-requests-per-client", 100, *options, listen=f"127.0.0.1:{port}") for port in ports]
        try:
            with proxy(replicas) as front:
                wait_until(front.answers)
                loads = [Load(front.port, keeps, [SMALL, LARGE]) for keeps in (True, False)]
                try:
                    for i, port in enumerate(ports):
                        before = [len(load.seen) for load in loads]
                        same(replicas[i].stop(), 0)
                        replicas[i] = Service("--max-requests-per-client", 100, *options, listen=f"127.0.0.1:{port}")
                        wait_until(lambda: all(len(load.seen) > n + 20 for load, n in zip(loads, before)))
                        time.sleep(2)  # fail_timeout of nginx.conf is over: the replica counts as there again
                finally:
                    seen = loads[0].end() + loads[1].end()
                same(set(seen), {"right"})
        finally:
            for one in replicas:
                one.stop()
