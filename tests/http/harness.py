"""TAP, a running ptxoptd, and requests that are compared, with their answers, with its OpenAPI document."""
import contextlib
import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

try:
    import jsonschema
except ImportError:
    jsonschema = None

BUILD = os.environ["BUILDDIR"]
SOURCE = os.environ["SRCDIR"]
PTXOPTD = os.path.join(BUILD, "ptxoptd")
PTXOPT = os.path.join(BUILD, "ptxopt")
# Of the reports, with their types.
FORMATS = dict(line.split()[:2] for line in subprocess.run(
    [os.path.join(BUILD, "docgen"), "formats"], capture_output=True, check=True, text=True).stdout.splitlines())
HANGS = 300  # seconds after which something is given up; nothing is decided by it
# Instrumented builds are slow, and their allocator keeps what was freed.
SANITIZED = b"__asan_init" in open(
    os.path.join(BUILD, ".libs", "ptxoptd") if os.path.exists(os.path.join(BUILD, ".libs", "ptxoptd"))
    else PTXOPTD, "rb").read()

scratch = tempfile.TemporaryDirectory()
count = 0
LOG_MOST = 100000  # lines kept of a service's log


def line(good, name, note=""):
    global count
    count += 1
    print(("ok" if good else "not ok"), count, "-", name + note, flush=True)


def skip(name, reason):
    line(True, name, " # SKIP " + reason)


def case(name):
    """A test: passes unless it raises."""
    def run(function):
        try:
            function()
            line(True, name)
        except Exception as error:  # the next case still runs
            line(False, name)
            for text in (type(error).__name__ + ": " + str(error)).split("\n")[:12]:
                print("#", text[:300])
            trace = error.__traceback__
            while trace:
                print("#   line", trace.tb_lineno, os.path.basename(trace.tb_frame.f_code.co_filename))
                trace = trace.tb_next
        return function
    return run


def same(got, expected, what=""):
    if got != expected:
        raise AssertionError(f"{what}: expected {str(expected)[:200]!r}, got {str(got)[:200]!r}")


def path(*parts):
    return os.path.join(scratch.name, *parts)


def text_file(name, text):
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def example(name):
    with open(os.path.join(SOURCE, "examples", name, name + ".ptx"), "rb") as file:
        return file.read()


def optimized(ptx, *options):
    return subprocess.run([PTXOPT, *options], input=ptx, capture_output=True, check=True).stdout


WRONG_WAIT = """.version 8.6
.target sm_100a
.visible .entry k(.param .u32 taddr)
{
\t.reg .b32 %r<3>; ld.param.u32 %r1, [taddr];
\ttcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];
\ttcgen05.wait::st.sync.aligned;
\tret;
}
"""
MINIMAL = b".version 8.7\n.target sm_100a\n.address_size 64\n"


def hostile(megabytes):
    """A valid text of that size whose tree is large in a full parse: empty blocks, about fifty bytes for each byte."""
    return MINIMAL + b".visible .entry k()\n{ // tcgen05\n" + b"{}\n" * (megabytes * 333333) + b"}\n"


# ---- the document ----

with open(os.path.join(SOURCE, "server", "openapi.json")) as file:
    OPENAPI = json.load(file)


def find_path(where):
    """The item of a path, and the values of the parameters in it."""
    path_name = urllib.parse.unquote(where.split("?")[0])
    for pattern, item in OPENAPI["paths"].items():
        found = re.fullmatch(re.sub(r"\{([^}]*)\}", r"(?P<\1>[^/]+)", pattern), path_name)
        if found:
            return item, found.groupdict()
    return {}, {}


def find_operation(method, where):
    return find_path(where)[0].get("get" if method == "HEAD" else method.lower())


def resolve(node):
    while "$ref" in node:
        target = OPENAPI
        for part in node["$ref"][2:].split("/"):
            target = target[part]
        node = target
    return node


def validate(schema, value):
    if jsonschema:
        resolver = jsonschema.RefResolver.from_schema(OPENAPI)
        jsonschema.Draft202012Validator(schema, resolver=resolver).validate(value)


def body_value(kind, body):
    if kind.endswith("ndjson"):
        return [json.loads(one) for one in body.splitlines()]
    return json.loads(body) if kind.endswith("json") else body.decode("utf-8", "replace")


def validate_content(content, kind, body, what):
    kind = kind.split(";")[0]
    if kind not in content:
        raise AssertionError(f"{what} has the type {kind}, which openapi.json does not list")
    value = body_value(kind, body)
    for one in value if kind.endswith("ndjson") else [value]:
        validate(content[kind]["schema"], one)


def typed(schema, text):
    """A value that is text in a head."""
    return int(text) if schema.get("type") == "integer" and re.fullmatch("-?[0-9]+", text) else text


# Those of HTTP itself, which OpenAPI does not describe.
TRANSPORT = {"connection", "content-length", "content-type", "date", "transfer-encoding"}


def validate_headers(described, answer, what):
    declared = {name.lower(): resolve(one) for name, one in described.get("headers", {}).items()}
    same(sorted(set(answer.headers) - set(declared) - TRANSPORT), [], f"headers of {what} that openapi.json does not list")
    for name, one in declared.items():
        value = answer.header(name)
        if value is not None:
            validate(resolve(one["schema"]), typed(resolve(one["schema"]), value))
        elif one.get("required"):
            raise AssertionError(f"{what} lacks its header {name}")


def validate_answer(method, where, answer):
    operation = find_operation(method, where)
    if operation is None:  # no such path, or method
        same(answer.header("Content-Type"), "application/problem+json", "type of an error")
        if method != "HEAD":
            validate({"$ref": "#/components/schemas/Problem"}, json.loads(answer.body))
        return
    if str(answer.status) not in operation["responses"]:
        raise AssertionError(f"{method} {where} answers {answer.status}, which openapi.json does not list")
    described = resolve(operation["responses"][str(answer.status)])
    validate_headers(described, answer, f"{method} {where}: {answer.status}")
    if method != "HEAD" and described.get("content"):
        validate_content(described["content"], answer.header("Content-Type"), answer.plain(), "the answer")


HEADER_PARAMETERS = {one["name"].lower() for one in OPENAPI["components"]["parameters"].values() if one["in"] == "header"}


def validate_parameters(item, operation, inside, where, headers):
    """Checks the parameters in path, query and head: each is declared, and no required one is missing."""
    given = {("path", name): value for name, value in inside.items()}
    query = urllib.parse.parse_qsl(urllib.parse.urlsplit(where).query, keep_blank_values=True)
    given.update({("query", name): value for name, value in query})
    given.update({("header", name.lower()): value for name, value in headers.items() if name.lower() in HEADER_PARAMETERS})
    for one in map(resolve, item.get("parameters", []) + operation.get("parameters", [])):
        name = one["name"].lower() if one["in"] == "header" else one["name"]
        value = given.pop((one["in"], name), None)
        if value is not None:
            validate(resolve(one["schema"]), typed(resolve(one["schema"]), value))
        elif one.get("required"):
            raise AssertionError(f"{where} was accepted without its parameter {one['name']}")
    if given:
        raise AssertionError(f"{where} was accepted with {sorted(given)}, which openapi.json does not list")


def validate_lines(schema, body, answer):
    """For a batch: the lines that were answered with status 200."""
    lines = [text for text in body.split(b"\n") if text.strip(b" \t\r")]
    for text, answered in zip(lines, map(json.loads, answer.plain().splitlines())):
        if answered["status"] == 200:
            validate(schema, json.loads(text))


def validate_request(method, where, body, headers, answer):
    """Checks that openapi.json allows what the service accepted."""
    item, inside = find_path(where)
    operation = find_operation(method, where)
    if operation is None or not 200 <= answer.status < 300:
        return
    validate_parameters(item, operation, inside, where, headers)
    if "requestBody" not in operation:
        return
    body = body.encode() if isinstance(body, str) else body
    given = {name.lower(): value for name, value in headers.items()}
    content = resolve(operation["requestBody"])["content"]
    kind = given.get("content-type", "application/octet-stream").split(";")[0].strip().lower()
    plain = Answer(0, given, body).plain()
    if kind in content and "application/x-ndjson" in content:
        validate_lines(content[kind]["schema"], plain, answer)
    else:
        validate_content(content, kind, plain, "the request, which was accepted,")


# ---- requests ----

class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def header(self, name):
        return self.headers.get(name.lower())

    def plain(self):
        coding = self.header("Content-Encoding")
        if coding == "gzip":
            return gzip.decompress(self.body)
        if coding == "zstd":
            return subprocess.run(["zstd", "-dc"], input=self.body, capture_output=True, check=True).stdout
        return self.body

    def json(self):
        return json.loads(self.plain())


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, where, timeout):
        super().__init__("localhost", timeout=timeout)
        self.where = where

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.where)


class Service:
    """Runs a ptxoptd on a free port of 127.0.0.1 (or listen=…; None: as the options say), and ends it afterwards.
    Without reads no thread reads its log once it listens, until start_reader is called."""

    def __init__(self, *options, listen="127.0.0.1:0", env=None, pass_fds=(), preexec=None, context=None, reads=True):
        self.log, self.context, self.reads = [], context, reads
        self.address = None
        command = [PTXOPTD, *(["--listen", listen] if listen else []), *map(str, options)]
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})},
            pass_fds=pass_fds, preexec_fn=preexec)
        self.started = threading.Event()
        self.start_reader()
        if not self.started.wait(20) or not self.address:
            self.stop()
            raise AssertionError("did not start: " + "".join(self.log)[-400:])

    def start_reader(self):
        self.reader = threading.Thread(target=self.read_log, daemon=True)
        self.reader.start()

    def read_log(self):
        for raw in self.process.stderr:
            text = raw.decode("utf-8", "replace")
            self.log.append(text)
            if len(self.log) > 2 * LOG_MOST:  # what is no JSON is a sanitizer's, and stays
                self.log[:LOG_MOST] = [old for old in self.log[:LOG_MOST] if not old.startswith("{")]
            if '"event":"listening"' in text:
                self.address = json.loads(text)["message"]
                self.started.set()
                if not self.reads:
                    return
        self.started.set()

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1])

    def connection(self, timeout=HANGS, source=None):
        if self.address.startswith("unix:"):
            return UnixConnection(self.address[5:], timeout)
        if self.context:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=self.context)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout,
                                          source_address=(source, 0) if source else None)

    def ask(self, method, where, body=None, headers=None, check=True, timeout=HANGS, source=None):
        connection = self.connection(timeout, source)
        try:
            connection.request(method, where, body=body, headers=headers or {})
            response = connection.getresponse()
            answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()
        if check:
            validate_answer(method, where, answer)
            validate_request(method, where, body, headers or {}, answer)
        return answer

    def post(self, where, body, kind="text/x-ptx", **headers):
        check = headers.pop("check", True)
        named = {k.replace("_", "-"): v for k, v in headers.items()}
        return self.ask("POST", where, body, {"Content-Type": kind, **named}, check)

    def metric(self, name):
        found = re.search(r"^" + re.escape(name) + r" (\S+)$",
                          self.ask("GET", "/metrics").body.decode(), re.M)
        return float(found.group(1)) if found else 0.0

    def exact(self, first, *lines, body=b"", timeout=HANGS):
        """Sends a request of exactly these lines, which http.client would not send."""
        method, target, _ = first.split(" ")
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as link:
            link.sendall("\r\n".join([first, *lines, "", ""]).encode() + body)
            response = http.client.HTTPResponse(link, method=method)
            response.begin()
            answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        validate_answer(method, re.sub("(?i)^https?://[^/]*", "", target) or "/", answer)
        return answer

    def raw(self, data, timeout=HANGS, half_close=False, source=None):
        """Sends bytes, and returns all bytes until the service closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout,
                                      source_address=(source, 0) if source else None) as link:
            got = b""
            try:
                link.sendall(data)
                if half_close:
                    link.shutdown(socket.SHUT_WR)
                while True:
                    block = link.recv(1 << 16)
                    if not block:
                        break
                    got += block
            except (ConnectionResetError, BrokenPipeError):
                pass
            return got

    def stop(self, how=signal.SIGTERM, timeout=HANGS):
        """The exit status; any message of a sanitizer is an error."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(5)
        said = "".join(self.log)
        if "Sanitizer" in said or "runtime error:" in said:
            raise AssertionError(said[-1500:])
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        status = self.stop()
        if kind is None and status not in (0,):
            raise AssertionError(f"exit status {status}: " + "".join(self.log)[-300:])


def refuses_to_start(*options, preexec=None):
    """Its messages on standard error. (GnuTLS leaks a certificate that it cannot read.)"""
    listen = () if "--listen" in options else ("--listen", "127.0.0.1:0")  # somebody may have 8080
    done = subprocess.run([PTXOPTD, *listen, *options], capture_output=True, timeout=HANGS, stdin=subprocess.DEVNULL,
                          preexec_fn=preexec, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    same(done.returncode, 2, "exit status")
    return done.stderr.decode()


def features():
    return subprocess.run([PTXOPTD, "--version"], capture_output=True, check=True).stdout.decode().split()


def children_of(pid):
    found = []
    for one in os.listdir("/proc"):
        if one.isdigit():
            try:
                with open(f"/proc/{one}/stat") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == pid:
                        found.append(int(one))
            except OSError:
                pass
    return found


def proc_number(pid, name):
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(name + r":\s+(\d+)", file.read()).group(1))


@contextlib.contextmanager
def grows_by_less(service, most_mb):
    """Limits the peak. The sanitizers' allocator keeps what was freed, and surrounds each block with other bytes."""
    before = proc_number(service.process.pid, "VmHWM")
    yield
    grown = proc_number(service.process.pid, "VmHWM") - before
    same(grown < most_mb * 1024 * (8 if SANITIZED else 1), True, f"grew by {grown} kB")


def wait_until(what):
    end = time.monotonic() + HANGS
    while time.monotonic() < end:
        if what():
            return
        time.sleep(0.02)
    raise AssertionError(f"timed out after {HANGS} s")
