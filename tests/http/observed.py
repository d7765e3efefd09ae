"""Observability: traces, spans, metrics, the dashboard and alerts for them, the log's level, systemd's watchdog."""
import base64
import http.client
import http.server
import json
import os
import shutil
import signal
import socket
import subprocess
import threading

from harness import *

KERNEL = example("gemm-1cta")
TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
try:
    from google.protobuf import json_format
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
except ImportError:
    json_format = None


class Collector:
    """Accepts POST requests with 200, and answers 404 to GET."""

    def __init__(self):
        outer, self.posted, self.headers = self, [], []

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, status):
                outer.headers.append(dict(self.headers))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_POST(self):
                outer.posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.answer(200)

            def do_GET(self):
                self.answer(404)

            do_PUT = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def spans(self):
        return [span for one in self.posted for of in one["resourceSpans"] for scope in of["scopeSpans"] for span in scope["spans"]]


def main():
    large_answers()
    traces()
    spans()
    metrics()
    levels()
    systemd()


def logged(service, name):
    find = lambda: [json.loads(one) for one in list(service.log) if f'"request_id":"{name}"' in one]
    wait_until(find)
    return find()[0]


def large_answers():
    text = KERNEL + b"// nothing\n" * 1000000  # more than the sockets of both sides hold

    def begin(service, name):
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        link.connect(("127.0.0.1", service.port))
        link.sendall(b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-ptx\r\n"
                     b"X-Request-Id: %s\r\nContent-Length: %d\r\n\r\n" % (name.encode(), len(text)) + text)
        return link

    with Service() as service:
        @case("a client that takes a large answer in small pieces gets all of it")
        def _():
            with begin(service, "in-pieces") as link:
                response = http.client.HTTPResponse(link)
                response.begin()
                got = b"".join(iter(lambda: response.read(50000), b""))
                same(logged(service, "in-pieces")["status"], 200)
            same(got == service.post("/v1/optimize", text).body, True)

        @case("a client that leaves in the middle of its answer has not got it, by the log")
        def _():
            with begin(service, "leaves") as link:
                same(link.recv(15), b"HTTP/1.1 200 OK")
            same(logged(service, "leaves")["status"], 499)


def traces():
    @case("a traceparent is taken and logged, with a span of our own, and what is malformed is none")
    def _():
        with Service() as service:
            def ask(name, *lines):
                service.exact("GET /v1/version HTTP/1.1", "Host: localhost", "Connection: close", "X-Request-Id: " + name, *lines)
                return logged(service, name)

            line = ask("traced", f"traceparent: 00-{TRACE}-{PARENT}-01")
            same((line["trace_id"], line["parent_id"], len(line["span_id"])), (TRACE, PARENT, 16))
            same(line["span_id"] in (PARENT, "0" * 16), False)
            same(ask("later", f"traceparent: cc-{TRACE}-{PARENT}-01-what-the-future-will-be-like")["trace_id"], TRACE)
            for i, wrong in enumerate((f"00-{TRACE}-{PARENT}-01-more", f"ff-{TRACE}-{PARENT}-01", f"00-{'0' * 32}-{PARENT}-01", f"00-{TRACE}-{'0' * 16}-01",
                                       f"00-{TRACE.upper()}-{PARENT}-01", f"00-{TRACE}-{PARENT}", "00", "", f"00-{TRACE}-{PARENT}-0x")):
                same("trace_id" in ask(f"wrong-{i}", "traceparent: " + wrong), False, wrong)
            same("trace_id" in ask("twice", *[f"traceparent: 00-{TRACE}-{PARENT}-01"] * 2), False, "two lines")

    name = "a traceparent is handed on to the shared cache"
    if "cache-http" not in features():
        skip(name, "not built in")
        return

    @case(name)
    def _():
        cache = Collector()
        with Service("--cache-url", cache.url) as service:
            same(service.post("/v1/optimize", KERNEL, traceparent=f"00-{TRACE}-{PARENT}-01", X_Request_Id="handed").status, 200)
            span = logged(service, "handed")["span_id"]
            same([one.get("traceparent") for one in cache.headers[:1]], [f"00-{TRACE}-{span}-01"])


def spans():
    name = "each sampled request is a span for --otlp-url, as OTLP has it"
    if "cache-http" not in features():
        skip(name, "no libcurl in this build")
        return

    posted = []

    @case(name)
    def _():
        collector = Collector()
        with Service("--otlp-url", collector.url + "/v1/traces") as service:
            service.post("/v1/optimize", KERNEL, traceparent=f"00-{TRACE}-{PARENT}-01", X_Request_Id="first")
            service.post("/v1/optimize", KERNEL, traceparent=f"00-{TRACE}-{PARENT}-00", X_Request_Id="not-sampled")
            service.post("/v1/lint", b"tcgen05 {", X_Request_Id="second")
            wait_until(lambda: len(collector.spans()) == 2)
            wait_until(lambda: service.metric("ptxopt_spans_sent_total") == 2)
            first, second = collector.spans()
            values = lambda span: {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}
            same((first["traceId"], first["parentSpanId"], first["spanId"]), (TRACE, PARENT, logged(service, "first")["span_id"]))
            same((first["name"], first["kind"], values(first)["http.response.status_code"]), ("POST /v1/optimize", 2, "200"))
            same(("parentSpanId" in second, values(second)["http.response.status_code"], values(second)["ptxopt.request_id"]), (False, "422", "second"))
            same(0 < int(first["endTimeUnixNano"]) - int(first["startTimeUnixNano"]) < 300e9, True)
            same(service.metric("ptxopt_spans_lost_total"), 0)
        posted.extend(collector.posted)

    name = "the messages are ExportTraceServiceRequest of OpenTelemetry, without a field that it does not know"
    if not json_format:
        skip(name, "no opentelemetry-proto (PyPI) here")
    else:
        @case(name)
        def _():
            same([span.name for one in posted for span in read_as_collector(one)], ["POST /v1/optimize", "POST /v1/lint"])

    @case("a collector that is not there loses spans, and nothing else")
    def _():
        with socket.create_server(("127.0.0.1", 0)) as gone:
            url = "http://127.0.0.1:%d/v1/traces" % gone.getsockname()[1]
        with Service("--otlp-url", url) as service:
            same(service.post("/v1/optimize", KERNEL).body, optimized(KERNEL))
            wait_until(lambda: service.metric("ptxopt_spans_lost_total") == 1)


def read_as_collector(message):
    """The spans of a message, by the classes that are generated from OpenTelemetry's schema."""
    for span in message["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for key in {"traceId", "spanId", "parentSpanId"} & set(span):  # OTLP has them in hexadecimal, protobuf's JSON in base64
            span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
    read = json_format.ParseDict(message, trace_service_pb2.ExportTraceServiceRequest())
    spans = [span for of in read.resource_spans for scope in of.scope_spans for span in scope.spans]
    for span in spans:
        same((len(span.trace_id), len(span.span_id), span.start_time_unix_nano <= span.end_time_unix_nano), (16, 8, True))
    same([one.key for one in read.resource_spans[0].resource.attributes if one.key == "service.name"], ["service.name"])
    return spans


def metrics():
    @case("the process's own figures and the limits are among the metrics")
    def _():
        with Service("--queue", 7) as service:
            same(service.metric('ptxopt_limit{name="queue",unit="requests"}'), 7)
            cpu = service.metric("process_cpu_seconds_total")
            service.post("/v1/optimize", KERNEL * 100)
            same(service.metric("process_cpu_seconds_total") > cpu, True)
            same(service.metric("process_resident_memory_bytes") > 4 << 20, True)
            same(abs(service.metric("process_start_time_seconds") - os.stat(f"/proc/{service.process.pid}").st_mtime) < 60, True)
            same(4 < service.metric("process_open_fds") < service.metric("process_max_fds"), True)

    name = "the alerts are right for promtool, and they and the dashboard ask for nothing that is not there"
    promtool = shutil.which("promtool")

    @case(name)
    def _():
        def text(file):
            with open(os.path.join(SOURCE, "server", file)) as opened:
                return opened.read()

        panels = [target["expr"] for panel in json.loads(text("dashboard.json"))["panels"] for target in panel["targets"]]
        asked = set(re.findall(r"\b(?:ptxopt|process)_\w+", " ".join(panels) + text("alerts.yaml")))
        token = "0123456789abcdef"
        with Service("--tokens", text_file("observed-tokens", "farm " + token)) as service:
            bearer = {"Authorization": "Bearer " + token}
            service.ask("POST", "/v1/optimize", KERNEL, {"Content-Type": "text/x-ptx", **bearer})
            there = set(re.findall(r"^(\w+)", service.ask("GET", "/metrics", headers=bearer).body.decode(), re.M))
        same(sorted(asked - there), [])
        same(len(asked) > 15, True)
        if promtool:
            subprocess.run([promtool, "check", "rules", os.path.join(SOURCE, "server", "alerts.yaml")], check=True, capture_output=True)
            rules = {"groups": [{"name": "panels", "rules": [
                {"record": f"panel:{i}", "expr": expr.replace("$__rate_interval", "5m")} for i, expr in enumerate(panels)]}]}
            subprocess.run([promtool, "check", "rules", text_file("panels.json", json.dumps(rules))], check=True, capture_output=True)


def levels():
    @case("--log-level leaves out what is below it")
    def _():
        same("expected info, warning or error" in refuses_to_start("--log-level", "chatty"), True)
        where = path("quiet.sock")
        with open(path("quiet.log"), "w") as log:
            process = subprocess.Popen([PTXOPTD, "--listen", "unix:" + where, "--log-level", "warning"], stderr=log)
            try:
                wait_until(lambda: os.path.exists(where) and connects(where))
                process.send_signal(signal.SIGHUP)
            finally:
                process.terminate()
                process.wait()
        with open(path("quiet.log")) as log:
            same(log.read(), "")


def connects(where):
    try:
        connection = UnixConnection(where, HANGS)
        connection.request("GET", "/v1/version")
        return connection.getresponse().status == 200
    except OSError:
        return False


def systemd():
    @case("systemd is told of a reload, and by its watchdog's time that the service lives")
    def _():
        notes = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notes.bind(path("watchdog"))
        notes.settimeout(HANGS)
        heard = []

        def hear_until(what):
            while what not in heard[-1:]:
                heard.append(notes.recv(200).split(b"\n")[0])

        with Service("--tokens", text_file("watched-tokens", "farm 0123456789abcdef"), env={"NOTIFY_SOCKET": path("watchdog"), "WATCHDOG_USEC": "200000"}) as service:
            for _ in range(3):
                hear_until(b"WATCHDOG=1")
                heard.append(b"")
            service.process.send_signal(signal.SIGHUP)
            hear_until(b"RELOADING=1")
            hear_until(b"READY=1")
        notes.close()
