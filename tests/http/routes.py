"""Every route and every error over a real socket; harness.py compares each request and answer with
openapi.json."""
import gzip
import json
import re
import shutil
import subprocess

from harness import *

KERNEL = example("gemm-1cta")


def main():
    with Service("--max-body", "1M", "--max-decompressed", "2M", "--workers", 2) as service:
        raw_and_json(service)
        other_routes(service)
        errors(service)
        options(service)
        codings(service)
        if jsonschema:
            line(True, "every answer and every accepted request above fits openapi.json")
        else:
            skip("every answer and every accepted request above fits openapi.json", "python3-jsonschema is not installed")


def raw_and_json(service):
    @case("raw PTX is answered with what ptxopt prints, and the figures in headers")
    def _():
        answer = service.post("/v1/optimize", KERNEL)
        same(answer.status, 200)
        same(answer.body, optimized(KERNEL))
        same(answer.header("Ptxopt-Changed"), "true")
        same(int(answer.header("Ptxopt-Deleted")) + int(answer.header("Ptxopt-Kept")),
             int(answer.header("Ptxopt-Candidates")))

    @case("options stand in the query")
    def _():
        answer = service.post("/v1/optimize?style=annotate&rules=wait-covered", KERNEL)
        same(answer.body, optimized(KERNEL, "--annotate", "--rules", "wait-covered"))
        answer = service.post("/v1/optimize?no_assume=register-dependency,reads-commute", KERNEL)
        same(answer.body, optimized(KERNEL, "--no-assume", "register-dependency", "--no-assume", "reads-commute"))

    @case("raw in, JSON out has each edit and each candidate that stays")
    def _():
        result = service.post("/v1/optimize", KERNEL, Accept="application/json").json()
        same(result["ptx"].encode(), optimized(KERNEL))
        same(len(result["edits"]), result["stats"]["deleted"])
        for edit in result["edits"]:
            same(KERNEL[edit["start"]:edit["end"]].decode().startswith(edit["text"].rstrip(";")), True, "the span's text")
            same(KERNEL[:edit["start"]].count(b"\n") + 1, edit["line"], "the span's line")

    @case("JSON in is answered with JSON, and its options do the same as those of a query")
    def _():
        request = {"source": KERNEL.decode(), "options": {"style": "squeeze", "no_assume": ["reads-commute"]}}
        result = service.post("/v1/optimize", json.dumps(request), "application/json").json()
        same(result["ptx"].encode(), optimized(KERNEL, "--squeeze", "--no-assume", "reads-commute"))

    @case("one edit can be asked for by its id")
    def _():
        edits = service.post("/v1/optimize", KERNEL, Accept="application/json").json()["edits"]
        one = service.post("/v1/optimize?only=" + edits[3]["id"], KERNEL, Accept="application/json").json()
        same([edit["id"] for edit in one["edits"]], [edits[3]["id"]])

    @case("a comment in the text keeps what it stands beside, and the answer says so")
    def _():
        edit = service.post("/v1/optimize", KERNEL, Accept="application/json").json()["edits"][0]
        kept = KERNEL[:edit["end"]] + b" // ptxopt: keep -- it is ours" + KERNEL[edit["end"]:]
        same(service.post("/v1/optimize", kept).body, optimized(kept))
        result = service.post("/v1/optimize", kept, Accept="application/json").json()
        same([(item["line"], item["reason"]) for item in result["kept"] if item["reason"] == "kept-by-comment"],
             [(edit["line"], "kept-by-comment")])

    @case("bytes that are not UTF-8 come back raw, and are refused as JSON")
    def _():
        text = MINIMAL + b"// \xff\xfe\n"
        same(service.post("/v1/optimize", text).body, text)
        same(service.post("/v1/optimize", text, Accept="application/json").status, 406)

    @case("the same request has the same answer, and the cache says so in metrics")
    def _():
        first = service.post("/v1/optimize?name=again", KERNEL)
        hits = service.metric("ptxopt_cache_hits_total")
        second = service.post("/v1/optimize?name=again", KERNEL)
        same(second.body, first.body)
        same(second.header("ETag"), first.header("ETag"))
        same(service.metric("ptxopt_cache_hits_total"), hits + 1)

    @case("an answer can be had again by its name, and 304 when the client has it")
    def _():
        answer = service.post("/v1/optimize", KERNEL)
        where = answer.header("Content-Location")
        again = service.ask("GET", where)
        same(again.status, 200)
        same(again.body, answer.body)
        same(again.header("Content-Type"), answer.header("Content-Type"))
        same(service.ask("GET", where, headers={"If-None-Match": answer.header("ETag")}).status, 304)
        same(service.ask("GET", "/v1/results/" + "0" * 64).status, 404)

    @case("If-None-Match on a POST is 412")
    def _():
        tag = service.post("/v1/optimize", KERNEL).header("ETag")
        same(service.post("/v1/optimize", KERNEL, If_None_Match=tag).status, 412)


def other_routes(service):
    @case("each report format is what ptxopt writes, with its own type")
    def _():
        for kind, type in FORMATS.items():
            with open(path("input.ptx"), "wb") as file:
                file.write(KERNEL)
            own = subprocess.run([PTXOPT, "--report=" + kind + "=-", "-o", "/dev/null", "input.ptx"],
                                 capture_output=True, cwd=scratch.name, env={**os.environ, "PATH": "", "PTXAS": ""})
            answer = service.post("/v1/report?format=" + kind, KERNEL)
            same((answer.status, answer.header("Content-Type").split(";")[0]), (200, type), kind)
            if own.returncode == 0 and kind in ("diff", "rdjson", "gitlab"):
                same(answer.body, own.stdout, kind)
            same(b"wait-covered" in answer.body or kind == "diff", True, kind)

    @case("a report of an unknown format is 400, of PTX that does not parse 422, of no accepted type 406")
    def _():
        same(service.post("/v1/report?format=pdf", KERNEL).status, 400)
        same(service.post("/v1/report", KERNEL).status, 400)
        same(service.post("/v1/report?format=diff", b"tcgen05 {").status, 422)
        same(service.post("/v1/report?format=diff", KERNEL, Accept="application/json").status, 406)

    @case("lint is a report of what is missing, json without a format, with options of its own")
    def _():
        wrong = WRONG_WAIT.encode()
        items = lambda answer: [item for file in answer.json()["files"] for item in file["items"]]
        found = service.post("/v1/lint", wrong)
        same([(item["type"], item["line"], item["code"]) for item in items(found)], [("lint", 7, "waits-for-nothing")])
        same(found.json()["edit_count"], 0)
        same(items(service.post("/v1/lint?level=error", wrong)), [])
        named = json.dumps({"source": WRONG_WAIT, "options": {"level": "note", "accept": [items(found)[0]["id"]]}})
        same([item["type"] for item in items(service.post("/v1/lint", named, "application/json"))], ["suppressed"])
        for kind in FORMATS:
            answer = service.post("/v1/lint?format=" + kind, wrong)
            same((answer.status, b"waits-for-nothing" in answer.body), (200, kind not in ("diff", "svg")), kind)
        same(service.post("/v1/report?format=json", wrong).json()["lint_count"], 0)

    @case("lint says what to insert when it is asked to, and only then")
    def _():
        wrong = WRONG_WAIT.encode()
        (item,) = [item for file in service.post("/v1/lint?fix=true", wrong).json()["files"] for item in file["items"]]
        (line,) = item["insertions"]
        same((line["line"], line["text"].strip(), "not_fixed" in item), (8, "tcgen05.wait::ld.sync.aligned;", False))
        fixed = wrong[: line["at"]] + line["text"].encode() + wrong[line["at"] :]
        same(service.post("/v1/lint", fixed).json()["lint_count"], 0)
        change = service.post("/v1/lint?fix=true&format=diff", wrong).body
        same([row for row in change.splitlines()[2:] if row[:1] in b"+-"], [b"+" + line["text"].rstrip("\n").encode()])
        body = json.dumps({"source": WRONG_WAIT, "options": {"fix": True}})
        same(service.post("/v1/lint", body, "application/json").json()["files"][0]["items"][0]["insertions"], [line])
        for query in ("", "?fix=false"):
            same([key for key in service.post("/v1/lint" + query, wrong).json()["files"][0]["items"][0] if key in ("insertions", "not_fixed")], [])
        same([service.post("/v1/lint?fix=yes", wrong).status, service.post("/v1/optimize?fix=true", wrong).status], [400, 400])

    @case("lint refuses what is no option of its own, and what is no PTX")
    def _():
        same([service.post("/v1/lint" + query, KERNEL).status
              for query in ("?level=remark", "?rules=all", "?style=blank", "?format=pdf", "?accept=1")], [400] * 5)
        same(service.post("/v1/report?format=json&level=note", KERNEL).status, 400)
        same(service.post("/v1/lint", b"tcgen05 {").status, 422)

    @case("codes are those that lint may give")
    def _():
        codes = service.ask("GET", "/v1/codes").json()
        same("waits-for-nothing" in [code["id"] for code in codes], True)
        same(all(code["summary"] and code["sentence"] and code["isa_section"] for code in codes), True)

    @case("verify proves what optimize made")
    def _():
        request = {"before": KERNEL.decode(), "after": optimized(KERNEL).decode(), "options": {"certificate": True}}
        result = service.post("/v1/verify", json.dumps(request), "application/json").json()
        same(result["verdict"], "proven")
        same(result["certificate"] != "", True)

    @case("verify refuses a text that lost a wait it needs")
    def _():
        kept = service.post("/v1/optimize", KERNEL, Accept="application/json").json()["kept"][-1]
        broken = KERNEL[:kept["start"]] + KERNEL[kept["end"]:]
        request = {"before": KERNEL.decode(), "after": broken.decode()}
        same(service.post("/v1/verify", json.dumps(request), "application/json").json()["verdict"] == "proven", False)

    @case("optimize and verify warn of a version that is not known, and take nothing of 9.4 for it")
    def _():
        text = re.sub(rb"(?m)^\.version .*", b".version 9.5", example("attention"))
        less, more = optimized(text), optimized(text, "--isa", "9.4")
        same(less == more, False)
        answer = service.post("/v1/optimize", text)
        same((answer.body, answer.header("Ptxopt-Warnings")), (less, "1"))
        told = service.post("/v1/optimize", text, Accept="application/json").json()["warnings"]
        same([(one["code"], one["line"], one["column"]) for one in told], [("unknown-version", text[: text.index(b"9.5")].count(b"\n") + 1, 10)])
        ask = lambda options: service.post("/v1/verify", json.dumps(
            {"before": text.decode(), "after": more.decode(), "options": options}), "application/json").json()
        same((ask({})["verdict"], ask({})["warnings"]), ("refused", told))
        same((ask({"isa": "9.4"})["verdict"], ask({"isa": "9.4"})["warnings"]), ("proven", []))
        same([one["code"] for one in ask({"isa": "9.9"})["warnings"]], ["unknown-version"])
        same(service.post("/v1/optimize?isa=9.4", text).header("Ptxopt-Warnings"), "0")

    @case("rules, assumptions and version are what ptxopt lists")
    def _():
        rules = [rule["id"] for rule in service.ask("GET", "/v1/rules").json()]
        listed = subprocess.run([PTXOPT, "--list-rules"], capture_output=True, check=True).stdout.decode()
        same([rule for rule in rules if rule not in listed], [])
        names = [one["name"] for one in service.ask("GET", "/v1/assumptions").json()]
        same("reads-commute" in names and "exit-silent" in names, True)
        version = service.ask("GET", "/v1/version").json()
        printed = subprocess.run([PTXOPT, "--version"], capture_output=True, check=True).stdout.decode()
        same(f"ptxopt {version['version']} (build {version['build']})", printed.split("\n")[0])

    @case("documents have a tag, and 304 when the client has them")
    def _():
        for where in ("/v1/rules", "/openapi.json", "/", "/v1/version", "/v1/assumptions"):
            tag = service.ask("GET", where).header("ETag")
            same(service.ask("GET", where, headers={"If-None-Match": tag}).status, 304, where)

    @case("openapi.json is the committed document")
    def _():
        same(service.ask("GET", "/openapi.json").json(), OPENAPI)

    @case("the page asks for nothing from elsewhere")
    def _():
        page = service.ask("GET", "/")
        same("default-src 'none'" in page.header("Content-Security-Policy"), True)
        same([word for word in ("http:", "https:", "//cdn", "src=", "@import") if word in page.body.decode()], [])

    @case("health and readiness are ok")
    def _():
        same(service.ask("GET", "/healthz").body, b"ok\n")
        same(service.ask("GET", "/readyz").body, b"ok\n")
        same(service.ask("HEAD", "/healthz").body, b"")

    promtool = shutil.which("promtool")
    if promtool:
        @case("promtool finds nothing wrong with the metrics")
        def _():
            text = service.ask("GET", "/metrics").body
            done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True)
            same(done.returncode, 0, done.stderr.decode())
    else:
        skip("promtool finds nothing wrong with the metrics", "no promtool here")


def errors(service):
    def refused(name, status, *arguments, **headers):
        @case(name + f" is {status}")
        def _():
            answer = service.ask(*arguments, headers=headers.pop("headers", None))
            same(answer.status, status)
            problem = answer.json()
            same(problem["status"], status)
            same(problem["request_id"], answer.header("X-Request-Id"))

    json_type = {"Content-Type": "application/json"}
    ptx_type = {"Content-Type": "text/x-ptx"}
    refused("an unknown path", 404, "GET", "/v2/optimize")
    refused("a wrong method", 405, "DELETE", "/v1/optimize")
    refused("GET of a POST route", 405, "GET", "/v1/batch")
    refused("an answer that nobody can give", 406, "POST", "/v1/optimize", b"", headers={**ptx_type, "Accept": "image/png"})
    refused("a type that nobody reads", 415, "POST", "/v1/optimize", b"x", headers={"Content-Type": "image/png"})
    refused("an unknown coding", 415, "POST", "/v1/optimize", b"x", headers={**ptx_type, "Content-Encoding": "br"})
    refused("a body over --max-body", 413, "POST", "/v1/optimize", b"x" * (1 << 20) + b"y", headers=ptx_type)
    refused("an option that is not there", 400, "POST", "/v1/optimize?colour=red", b"", headers=ptx_type)
    refused("an option's wrong value", 400, "POST", "/v1/optimize?isa=7", b"", headers=ptx_type)
    refused("an option given twice", 400, "POST", "/v1/optimize?isa=9.0&isa=9.0", b"", headers=ptx_type)
    refused("JSON that is none", 400, "POST", "/v1/optimize", b"{", headers=json_type)
    refused("JSON with a key twice", 400, "POST", "/v1/optimize", b'{"source":"","source":""}', headers=json_type)
    refused("JSON nested too deeply", 400, "POST", "/v1/optimize", b'{"source":' + b"[" * 99999, headers=json_type)
    refused("JSON that is not UTF-8", 400, "POST", "/v1/optimize", b'{"source":"\xff"}', headers=json_type)
    refused("JSON with an unknown member", 400, "POST", "/v1/optimize", b'{"source":"","sauce":1}', headers=json_type)
    refused("a verify without its texts", 400, "POST", "/v1/verify", b'{"before":""}', headers=json_type)
    refused("gzip that is none", 400, "POST", "/v1/optimize", b"no gzip", headers={**ptx_type, "Content-Encoding": "gzip"})

    @case("415 names all types and codings that the route reads")
    def _():
        reads = lambda where, kind: service.ask("POST", where, b"x", {"Content-Type": kind}).header("Accept")
        ptx = "text/x-ptx, text/plain, application/octet-stream, application/json"
        same((reads("/v1/optimize", "image/png"), reads("/v1/report?format=diff", "image/png")), (ptx, ptx))
        same(reads("/v1/verify", "text/x-ptx"), "application/json")
        same(reads("/v1/batch", "text/x-ptx"), "application/x-ndjson, application/octet-stream")
        coded = service.ask("POST", "/v1/optimize", b"x", {**ptx_type, "Content-Encoding": "br"})
        same(coded.header("Accept-Encoding"), "gzip, zstd" if "zstd" in features() else "gzip")

    @case("PTX that does not parse is 422 with line and column")
    def _():
        text = MINIMAL + b".visible .entry k()\n{ // tcgen05\n  add.u32 %r1, ;;; }\n"
        problem = service.post("/v1/optimize", text).json()
        same(problem["status"], 422)
        same(problem["line"], 6)
        same(problem["errors"][0]["column"], problem["column"])

    @case("a text that names nothing for the rules is passed on unread, with parse=full it must be PTX")
    def _():
        text = b".version 9.0 \0 no PTX {"
        same((service.post("/v1/optimize", text).body, service.post("/v1/optimize?parse=shapes", text).body), (text, text))
        same(service.post("/v1/optimize?parse=full", text).status, 422)
        same(service.post("/v1/optimize?parse=whole", text).status, 400)

    @case("a text that does not begin with .version is refused wherever it is sent, in every mode")
    def _():
        for where in ("/v1/optimize", "/v1/optimize?parse=full", "/v1/lint", "/v1/report?format=json"):
            for text, code in ((b"no PTX", "not-ptx"), (b"// nothing\n", "not-ptx"), (KERNEL.decode().encode("utf-16"), "utf-16")):
                answer = service.post(where, text)
                same((answer.status, answer.json()["errors"][0]["code"]), (422, code), where)

    @case("a POST without a length is 411")
    def _():
        got = service.raw(b"POST /v1/optimize HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        same(got.split(b" ", 2)[1], b"411")
        same(b"application/problem+json" in got, True)

    @case("a request keeps the id that its client gave it")
    def _():
        same(service.ask("GET", "/healthz", headers={"X-Request-Id": "build-7.3"}).header("X-Request-Id"), "build-7.3")
        odd = service.ask("GET", "/healthz", headers={"X-Request-Id": 'a"b'}).header("X-Request-Id")
        same(len(odd), 16)

    @case("logs are JSON lines with the request's id and none of its text")
    def _():
        service.post("/v1/optimize?name=SECRETNAME", MINIMAL + b"// SECRETTEXT\n", X_Request_Id="find-me")
        wait_until(lambda: any("find-me" in text for text in service.log))
        lines = [json.loads(text) for text in service.log]
        mine = [one for one in lines if one.get("request_id") == "find-me"][0]
        same((mine["status"], mine["method"], mine["path"]), (200, "POST", "/v1/optimize"))
        same("SECRET" in "".join(service.log), False)


def options(service):
    request = json.dumps({"source": KERNEL.decode()})
    statuses = lambda body, kind, *wheres: [service.post(where, body, kind).status for where in wheres]

    @case("options of the query count beside a JSON body that does not choose them, and for a pair they are 400")
    def _():
        squeezed, blank = optimized(KERNEL, "--squeeze").decode(), optimized(KERNEL).decode()
        own = json.dumps({"source": KERNEL.decode(), "options": {"style": "blank"}})
        for _ in range(2):
            for where, body, ptx in (("/v1/optimize?style=squeeze", request, squeezed), ("/v1/optimize?style=squeeze", own, blank),
                                     ("/v1/optimize", request, blank), ("/v1/optimize?isa=9.0", own, blank)):
                same(service.post(where, body, "application/json").json()["ptx"], ptx, where)
            same(statuses(request, "application/json", "/v1/report?format=json&style=squeeze", "/v1/optimize?style=round", "/v1/optimize?colour=red"),
                 [200, 400, 400])
        pair = json.dumps({"before": MINIMAL.decode(), "after": MINIMAL.decode()})
        same(statuses(pair, "application/json", "/v1/verify", "/v1/verify?isa=9.0", "/v1/verify"), [200, 400, 200])

    @case("format is an option of a report alone, and stands there once")
    def _():
        twice = ("/v1/report?format=json&format=json", "/v1/report?format=diff&format=json")
        for body, kind in ((KERNEL, "text/x-ptx"), (request, "application/json")):
            same(statuses(body, kind, "/v1/report?format=json", *twice, "/v1/optimize?format=json"), [200, 400, 400, 400])

    @case("the same options in another order have the same answer, and other values another")
    def _():
        tag = lambda query: service.post("/v1/optimize?" + query, KERNEL).header("ETag")
        same(tag("isa=9.0&style=squeeze"), tag("style=squeeze&isa=9.0"))
        same(len({tag("isa=9.0"), tag("isa=9.1"), tag("name=9.0"), tag("")}), 4)


def codings(service):
    @case("gzip is understood both ways")
    def _():
        answer = service.post("/v1/optimize", gzip.compress(KERNEL), Content_Encoding="gzip", Accept_Encoding="gzip")
        same(answer.header("Content-Encoding"), "gzip")
        same(answer.plain(), optimized(KERNEL))
        same(answer.header("ETag").endswith('-gzip"'), True)

    @case("a gzip body of two members is one text")
    def _():
        body = gzip.compress(KERNEL[:1000]) + gzip.compress(KERNEL[1000:])
        same(service.post("/v1/optimize", body, Content_Encoding="gzip").body, optimized(KERNEL))

    @case("a small body that decompresses to more than --max-decompressed is 413")
    def _():
        bomb = gzip.compress(b"\n" * (64 << 20))
        same(service.post("/v1/optimize", bomb, Content_Encoding="gzip").status, 413)

    @case("a cut gzip body is 400")
    def _():
        same(service.post("/v1/optimize", gzip.compress(KERNEL)[:-9], Content_Encoding="gzip").status, 400)

    if "zstd" in features() and shutil.which("zstd"):
        @case("zstd is understood both ways, and its bombs are 413")
        def _():
            pack = lambda text: subprocess.run(["zstd", "-c", "-q"], input=text, capture_output=True, check=True).stdout
            answer = service.post("/v1/optimize", pack(KERNEL), Content_Encoding="zstd", Accept_Encoding="zstd")
            same(answer.header("Content-Encoding"), "zstd")
            same(answer.plain(), optimized(KERNEL))
            same(service.post("/v1/optimize", pack(b"\n" * (64 << 20)), Content_Encoding="zstd").status, 413)
            same(service.post("/v1/optimize", pack(KERNEL)[:-9], Content_Encoding="zstd").status, 400)
    else:
        skip("zstd is understood both ways, and its bombs are 413", "not built in, or no zstd here")
