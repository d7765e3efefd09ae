"""Generators read openapi.json: openapi-python-client makes a client of it, and schemathesis makes requests."""
import os
import re
import shutil
import subprocess

from harness import *

KERNEL = example("gemm-1cta")

# Run by the Python that has openapi-python-client: the client needs the same packages.
CLIENT = r'''
import io, json, sys
sys.path.insert(0, sys.argv[1])
from ptx.client import Client
from ptx.api.default import (batch, document, health, lint, list_assumptions, list_codes, list_rules, metrics, optimize, page, ready,
                             report, result, verify, version)
from ptx.models import (AssumptionsItem, BatchLineType0, CodesItem, LintRequest, OptimizeRequest, OptimizeResult, Options, Problem, Report,
                        ReportFormat, RulesItem, Version, VerifyRequest, VerifyResult)
from ptx.types import File

text = open(sys.argv[3], "rb").read()
raw = lambda: File(payload=io.BytesIO(text))
with Client(base_url=sys.argv[2], headers={"Accept": "application/json, */*;q=0.1"}) as client:
    def kind(value, expected):
        assert isinstance(value, expected), (type(value), expected)
        return value

    one = kind(optimize.sync(client=client, body=raw()), OptimizeResult)
    assert one.changed and len(one.edits) == one.stats.deleted > 0, one.stats
    two = kind(optimize.sync(client=client, body=OptimizeRequest(source=text.decode(), options=Options(rules="none"))), OptimizeResult)
    assert not two.changed and two.ptx.encode() == text
    kind(optimize.sync(client=client, body=File(payload=io.BytesIO(b"tcgen05 {"))), Problem)
    assert kind(lint.sync(client=client, body=raw()), Report).files[0].name == "input.ptx"
    kind(lint.sync(client=client, body=LintRequest(source=text.decode())), Report)
    assert "<html" in kind(report.sync(client=client, body=raw(), format_=ReportFormat.HTML), str)
    assert report.sync(client=client, body=OptimizeRequest(source=text.decode()), format_=ReportFormat.DIFF).startswith("---")
    assert kind(verify.sync(client=client, body=VerifyRequest(before=text.decode(), after=one.ptx)), VerifyResult).verdict.value == "proven"
    rows = "\n".join([json.dumps({"source": text.decode()})] * 2).encode()
    lines = kind(batch.sync(client=client, body=File(payload=io.BytesIO(rows))), str).splitlines()
    assert [BatchLineType0.from_dict(json.loads(line)).result.ptx for line in lines] == [one.ptx] * 2
    for module, item in ((list_rules, RulesItem), (list_codes, CodesItem), (list_assumptions, AssumptionsItem)):
        assert kind(module.sync(client=client), list) and all(isinstance(row, item) for row in module.sync(client=client))
    kind(version.sync(client=client), Version)
    where = optimize.sync_detailed(client=client, body=raw()).headers["Content-Location"]
    assert json.loads(result.sync(client=client, sha256=where.rsplit("/", 1)[1]))["ptx"] == one.ptx
    assert health.sync(client=client) == ready.sync(client=client) == "ok\n"
    assert "ptxopt_requests_total" in metrics.sync(client=client) and "<html" in page.sync(client=client)
    document.sync_detailed(client=client)
with Client(base_url=sys.argv[2]) as client:
    answer = client.get_httpx_client().post("/v1/optimize", content=text, headers={"Content-Type": "text/x-ptx"})
    assert answer.content.decode() == one.ptx
'''


def main():
    client()
    fuzzer()


def client():
    name = "the client that openapi-python-client generates asks every route and gets typed answers"
    tool = shutil.which("openapi-python-client")
    if not tool or SANITIZED:
        skip(name, "openapi-python-client is not installed" if not tool else "once is enough")
        return

    @case(name)
    def _():
        done = subprocess.run([tool, "generate", "--path", os.path.join(SOURCE, "server", "openapi.json"), "--meta", "none",
                               "--output-path", path("generated", "ptx"), "--overwrite"], capture_output=True, text=True, timeout=HANGS)
        same(done.returncode, 0, done.stdout + done.stderr)
        kernel = path("kernel.ptx")
        with open(kernel, "wb") as file:
            file.write(KERNEL)
        with open(os.path.realpath(tool)) as file:
            python = file.readline()[2:].strip()
        with Service() as service:
            done = subprocess.run([python, "-c", CLIENT, path("generated"), "http://" + service.address, kernel], capture_output=True,
                                  text=True, timeout=HANGS)
            same(done.returncode, 0, done.stderr[-1500:])


def fuzzer():
    name = "schemathesis finds no answer that openapi.json does not describe, and nothing accepted or refused against it"
    tool = shutil.which("schemathesis")
    if not tool or SANITIZED:
        skip(name, "schemathesis is not installed" if not tool else "once is enough")
        return

    @case(name)
    def _():
        with Service() as service:
            done = subprocess.run([tool, "--config-file", os.path.join(SOURCE, "tests/http/schemathesis.toml"), "run",
                                   os.path.join(SOURCE, "server", "openapi.json"), "--url", "http://" + service.address, "--max-examples", "20",
                                   "--seed", "1", "--no-color"], capture_output=True, text=True, timeout=HANGS, cwd=scratch.name)
        found = done.stdout[done.stdout.find("FAILURES"):] if "FAILURES" in done.stdout else done.stdout[-1500:] + done.stderr[-1500:]
        same(done.returncode, 0, found)
        same(re.search(r"Tested: 15", done.stdout) is not None, True, done.stdout[-1500:])
