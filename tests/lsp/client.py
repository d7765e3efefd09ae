"""Runs ptxopt lsp, sends and reads its frames, and prints TAP."""
import fnmatch
import json
import os
import queue
import subprocess
import threading

PTXOPT = os.environ["PTXOPT"]
SOURCE = os.environ["SRCDIR"]
GLOB = os.environ.get("CASES") or "*"  # see ../chosen.sh
PATIENCE = 600  # seconds for one message; instrumented builds are slow

count = 0


def verdict(name, problems):
    """One line of TAP; problems are lines that say what is wrong."""
    global count
    count += 1
    for problem in problems[:40]:
        print("#", problem)
    print("not ok" if problems else "ok", count, "-", name, flush=True)


def skip(name, reason):
    global count
    count += 1
    print("ok", count, "-", name, "# SKIP", reason, flush=True)


def chosen(name):
    return fnmatch.fnmatchcase("lsp/" + name, GLOB)


def frame(message):
    body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def read_frame(stream):
    """The next message; None at the end. Raises ValueError for anything else."""
    length = None
    while True:
        line = stream.readline()
        if not line and length is None:
            return None
        if line == b"\r\n" and length is not None:
            break
        name, colon, value = line.partition(b": ")
        if not colon or not line.endswith(b"\r\n"):
            raise ValueError(f"head {line!r}")
        if name == b"Content-Length":
            length = int(value)
    body = stream.read(length)
    if len(body) != length:
        raise ValueError(f"body of {len(body)} bytes, {length} were announced")
    message = json.loads(body)
    if message.pop("jsonrpc", None) != "2.0":
        raise ValueError("no jsonrpc 2.0")
    return message


class Server:
    """ptxopt lsp, and its messages that the test has not read yet."""

    def __init__(self, *options):
        self.process = subprocess.Popen([PTXOPT, "lsp", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.messages, self.silent = queue.Queue(), False
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            while True:
                message = read_frame(self.process.stdout)
                self.messages.put(message)
                if message is None:
                    return
        except ValueError as error:
            self.messages.put({"no frame": str(error)})
            self.messages.put(None)

    def write(self, data):
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended: what it says tells

    def send(self, *messages):
        self.write(b"".join(map(frame, messages)))

    def take(self, patience=PATIENCE):
        """Its next message; None if there is none."""
        try:
            message = None if self.silent else self.messages.get(timeout=patience)
        except queue.Empty:
            return None
        self.silent = message is None
        return message

    def end(self):
        """Closes its input; returns its remaining messages, its exit status and its standard error."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        rest = list(iter(self.take, None))
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = "it did not end"
        return rest, status, self.process.stderr.read().decode()
