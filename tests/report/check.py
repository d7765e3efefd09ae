"""Reads reports as their consumers would, all in one process, and prints a line of TAP for each.

Standard input has a line NAME, FOLDER, FORMAT, REPORT, BEFORE, AFTER for each report, separated by tabs: REPORT is about the
file BEFORE, by its name in FOLDER; AFTER is the output of ptxopt. If a format has fixes, they are applied to BEFORE and must
give AFTER. A case whose module is absent is skipped.
"""

import functools
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import traceback
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
SCHEMAS = {
    "json": HERE.parent.parent / "src/report/report-2.schema.json",
    "ndjson": HERE.parent.parent / "src/report/report-2.schema.json",
    "sarif": HERE / "sarif.schema.json",
    "rdjson": HERE / "rdjson.schema.json",
    "rdjsonl": HERE / "rdjson.schema.json",
    "gitlab": HERE / "gitlab.schema.json",
}
KINDS = ("edit", "kept", "advice", "skipped", "diagnostic", "lint", "suppressed")
ANNOTATIONS_A_KIND = 10
COMMENT_CHARACTERS = 65536
SARIF_GZIPPED = 10 * 1000 * 1000


class Absent(Exception):
    """A program or module that a case needs is not installed."""


def need(name):
    try:
        return __import__(name)
    except ImportError:
        raise Absent(f"no python module {name}") from None


@functools.cache
def validator_of(form, part):
    jsonschema = need("jsonschema")
    schema = json.loads(SCHEMAS[form].read_text())
    if part:
        schema = {"$schema": schema["$schema"], "$ref": f"#/$defs/{part}", "$defs": schema["$defs"]}
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    return validator(schema)


def validate(value, form, part=None):
    error = next(validator_of(form, part).iter_errors(value), None)
    assert error is None, f"{error.json_path}: {error.message}"[:400]


def strict(text):
    def no_doubles(pairs):
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), f"a key twice: {keys}"
        return dict(pairs)

    return json.loads(text, object_pairs_hook=no_doubles)


def splice(before, changes):
    """changes: (start, end, replacement), byte offsets."""
    out, at = b"", 0
    pieces = []
    for start, end, new in sorted(changes):
        pieces += [before[at:start], new]
        at = end
    out = b"".join(pieces) + before[at:]
    return out


def offsets(before):
    starts, at = [0], 0
    for line in before.split(b"\n"):
        at += len(line) + 1
        starts.append(at)
    return starts


def same(got, after, what):
    assert got == after, f"{what} do not give the output"


def check_json(text, before, after):
    report = strict(text)
    validate(report, "json")
    (file,) = report["files"]
    for kind in KINDS:
        name = kind + "_count"
        assert report[name] == file[name] == sum(item["type"] == kind for item in file["items"])
    edits = [item for item in file["items"] if item["type"] == "edit"]
    ids = [item["id"] for item in file["items"] if "id" in item]
    assert len(ids) == len(set(ids)), "an id twice"
    where = [(e["replaced"]["start"], e["replaced"]["end"], e["replacement"].encode()) for e in edits]
    same(splice(before, where), after, "the edits")
    if b", inlined_at 1 " in before:
        assert any(edit["source"].get("inlined_at") for edit in edits), "no call that was inlined"
    for source in [item["source"] for item in file["items"] if "source" in item]:
        innermost = {key: source[key] for key in ("file", "line")}
        assert source["stack"] == [*reversed(source.get("inlined_at", [])), innermost]
    for group in file["groups"]:
        copies = [item for item in file["items"] if item["line"] in group["lines"]]
        assert sum(item["type"] == "edit" for item in copies) == group["edit_count"], group
        assert all(item["source"] == group["source"] for item in copies if item.get("text") == group["text"])
    assert file["groups"] or b"inlined_at 1 154 21" not in before, "no group"


def check_ndjson(text, before, after):
    lines = [strict(line) for line in text.split("\n")[:-1]]
    validate(lines[0], "ndjson", "head")
    for line in lines[1:]:
        validate(line, "ndjson", "file" if line["type"] == "file" else "item")
    assert len(lines) - 2 == sum(lines[0][kind + "_count"] for kind in KINDS)


def check_rdjson(text, before, after):
    report = strict(text)
    validate(report, "rdjson")
    suggestions(report["diagnostics"], before, after)


def check_rdjsonl(text, before, after):
    lines = [strict(line) for line in text.split("\n")[:-1]]
    for line in lines:
        validate(line, "rdjsonl", "diagnostic")
    suggestions(lines, before, after)


def suggestions(diagnostics, before, after):
    starts, changes = offsets(before), []
    at_source = [one for one in diagnostics if one["location"]["path"] != PTX]
    for diagnostic in at_source:
        assert "suggestions" not in diagnostic, "a suggestion for another file"
        assert diagnostic["relatedLocations"][0]["location"]["path"] == PTX, "no line of the PTX"
    if at_source:
        return
    for diagnostic in diagnostics:
        for suggestion in diagnostic.get("suggestions", []):
            place = [starts[p["line"] - 1] + p["column"] - 1
                     for p in (suggestion["range"]["start"], suggestion["range"]["end"])]
            changes.append((*place, suggestion["text"].encode()))
    same(splice(before, changes), after, "the suggestions")


def line_hashes(text):
    """By line: what github/codeql-action takes for it (src/fingerprints.ts), written from its description:
    of 100 UTF-16 units without blanks, from the line's first on, a polynomial of base 37, and which of
    the equal ones it is."""
    units = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    units = units.encode("utf-16-le", errors="surrogatepass")
    units = [units[i] | units[i + 1] << 8 for i in range(0, len(units), 2)] + [0xFFFF]
    units += [0] * 100
    seen, hashes = {}, []
    for start in [0] + [i + 1 for i, unit in enumerate(units) if unit == 10]:
        value = 0
        for unit in units[start : start + 100]:
            value = (value * 37 + unit) % 2**64
        seen[value] = seen.get(value, 0) + 1
        hashes.append(f"{value:x}:{seen[value]}")
    return hashes


# As that action's own tests have them.
assert line_hashes("") == ["c129715d7a2bc9a3:1"]
assert line_hashes(" a\nb\n  \t\tc\n d") == [
    "271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]
assert line_hashes("Lorem ipsum dolor sit amet.\n" * 10)[4:7] == [
    "a7f2ff13bc495cf2:5", "a7f2ff13bc495cf2:6", "a7f2ff1481e87703:1"]


@functools.cache
def content(path):
    """The content of the file, in the form of text in a report; None if there is no file."""
    file = pathlib.Path(path)
    return file.read_bytes().decode(errors="replace") if file.is_file() else None


@functools.cache
def hash_of(path, line):
    text = content(path)
    return None if text is None else all_hashes(path)[line - 1]


@functools.cache
def all_hashes(path):
    return line_hashes(content(path))


def related_paths(result):
    places = [one["physicalLocation"]["artifactLocation"]["uri"] for one in result["relatedLocations"]]
    return [urllib.parse.unquote(uri) for uri in places]


def check_sarif(text, before, after):
    log = strict(text)
    validate(log, "sarif")
    assert len(gzip.compress(text.encode())) <= SARIF_GZIPPED, "more than GitHub takes"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    starts, changes, lines = offsets(before), [], before.split(b"\n")
    prints = set()

    def offset(line, column):
        return starts[line - 1] + len(lines[line - 1].decode(errors="replace")[: column - 1].encode())

    if b", inlined_at 1 " in before:
        depths = [len(stack["frames"]) for result in run["results"] for stack in result.get("stacks", [])]
        assert depths and min(depths) >= 1 and max(depths) >= 2, "no stack of inlined calls"

    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        path = urllib.parse.unquote(place["artifactLocation"]["uri"])
        assert path == PTX or related_paths(result)[0] == PTX, "no line of the PTX"
        text_of, line = content(path), place["region"]["startLine"]
        assert result["partialFingerprints"].get("primaryLocationLineHash") == hash_of(path, line), line
        context = place.get("contextRegion")
        assert context or not text_of or path == PTX
        if context:
            first, last = context["startLine"], context["endLine"]
            assert first <= line <= place["region"].get("endLine", line) <= last
            wanted = "".join(text_of.splitlines(keepends=True)[first - 1 : last])
            assert context["snippet"]["text"].rstrip("\n") == wanted.rstrip("\n"), context
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        prints.add(result["partialFingerprints"]["ptxopt/v1"])
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                uri = run["artifacts"][change["artifactLocation"]["index"]]["location"]["uri"]
                assert uri == change["artifactLocation"]["uri"]
                urllib.parse.unquote(uri, errors="strict")
                for r in change["replacements"]:
                    gone = r["deletedRegion"]
                    start = offset(gone["startLine"], gone["startColumn"])
                    end = offset(gone["endLine"], gone["endColumn"])
                    assert (start, end - start) == (gone["byteOffset"], gone["byteLength"])
                    changes.append((start, end, r["insertedContent"]["text"].encode()))
    assert len(prints) == len(run["results"]), "a fingerprint twice"
    (invocation,) = run["invocations"]
    notes = invocation.get("toolExecutionNotifications", [])
    failures = [note for note in notes if note["level"] == "error"]
    assert invocation["executionSuccessful"] == (not failures)
    assert all(note["locations"][0]["physicalLocation"]["artifactLocation"]["index"] == 0 for note in failures)
    if not notes:
        same(splice(before, changes), after, "the fixes")
    described = [rule for rule in rules if "help" in rule]
    assert len(described) >= 11
    for rule in described:
        assert rule["helpUri"].startswith("https://") and rule["help"]["text"] and rule["help"]["markdown"]


def check_gitlab(text, before, after):
    findings = strict(text)
    validate(findings, "gitlab")
    prints = [finding["fingerprint"] for finding in findings]
    assert len(prints) == len(set(prints)), "a fingerprint twice"


def check_github(text, before, after):
    kinds = {}
    for line in text.split("\n")[:-1]:
        match = re.fullmatch(r"::(error|warning|notice) ((?:[a-zA-Z]+=[^:,\r\n]*,?)+)::([^\r\n]+)", line)
        assert match, f"no workflow command: {line[:100]}"
        for piece in match[2].split(",") + [match[3]]:
            assert not re.search(r"%(?!25|0D|0A|3A|2C)", piece), piece
        kinds[match[1]] = kinds.get(match[1], 0) + 1
    assert all(count <= ANNOTATIONS_A_KIND for count in kinds.values()), kinds


def check_markdown(text, before, after):
    assert len(text) < COMMENT_CHARACTERS, len(text)
    assert text.count("<details>") == text.count("</details>")
    assert text.count("```diff\n") * 2 == len(re.findall(r"^```", text, re.M))
    # What changes can be read without a click, the first of it.
    assert before == after or "```diff" in text.split("<details>")[0]
    open_fence = False
    for line in text.split("\n"):
        if line.startswith("```"):
            open_fence = not open_fence
        elif not open_fence:
            tags = set(re.findall(r"<(/?[a-z]+)", line))
            assert tags <= {"details", "/details", "summary", "/summary", "code", "/code"}, line


def opt_viewer():
    """The module by which LLVM's opt-viewer reads remarks, from the place where Debian installs it; None if it is absent."""
    for folder in sorted(pathlib.Path("/usr/lib").glob("llvm-*/share/opt-viewer")):
        sys.path.insert(0, str(folder))
        return need("optrecord")
    return None


def check_remarks(text, before, after):
    yaml = need("yaml")

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        pass

    for tag in ("Passed", "Missed", "Analysis"):
        Loader.add_constructor(f"!{tag}", lambda loader, node, tag=tag: (tag, loader.construct_mapping(node, deep=True)))
    passed, messages = 0, []
    for tag, remark in yaml.load_all(text, Loader):
        passed += tag == "Passed"
        assert {"Pass", "Name", "DebugLoc", "Function", "Args"} == set(remark), remark
        assert re.fullmatch("[a-z0-9-]+", remark["Pass"]) and re.fullmatch("[A-Z][a-z]+", remark["Name"]), remark
        assert remark["Pass"] != "ptxopt"
        assert set(remark["DebugLoc"]) == {"File", "Line", "Column"}
        assert all(isinstance(remark["DebugLoc"][key], int) for key in ("Line", "Column"))
        keys, values = [], []
        for argument in remark["Args"]:
            ((key, value),) = [pair for pair in argument.items() if pair[0] != "DebugLoc"]
            assert isinstance(value, str) and value, argument
            keys.append(key)
            values.append(value)
        # Else what a viewer shows runs together.
        assert keys[:1] == ["String"] and set(keys[1::2]) <= {"String"} and "String" not in keys[2::2], keys
        messages.append("".join(values))
    assert (passed > 0) == (before != after)
    # LLVM's parser leaves double quotes on a value, and the escapes in it.
    for line in text.split("\n"):
        doubled = re.search(r': "(.*)"(,|$)', line)
        assert not doubled or "\\u" in doubled[1], line
    if text and shutil.which("llvm-remarkutil"):
        command = ["llvm-remarkutil", "yaml2bitstream", REPORT, "-o", "-"]
        run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        assert run.returncode == 0, run.stderr.decode(errors="replace")[:400]
    viewer = opt_viewer()
    if viewer and messages:
        remarks = viewer.get_remarks(REPORT)[1].values()
        assert {remark.message for remark in remarks if "<a href" not in remark.message} <= set(messages)
        assert len(remarks) == len(messages), "two remarks that a viewer takes for one"


def check_html(text, before, after):
    from html.parser import HTMLParser

    void, stack, ids, links = {"meta", "input", "col", "br"}, [], [], []

    class Page(HTMLParser):
        def handle_starttag(self, tag, attributes):
            for key, value in attributes:
                assert key != "src" and not key.startswith("on"), (tag, key)
                assert key != "href" or (tag == "a" and value.startswith(("https://docs.nvidia.com/", "#")))
                if key == "href" and value.startswith("#"):
                    links.append(value[1:])
                if key == "id":
                    ids.append(value)
            assert tag not in {"link", "img", "iframe", "object", "base"}, tag
            if tag not in void:
                stack.append(tag)

        def handle_endtag(self, tag):
            optional = {"li", "p", "td", "tr"}
            while stack[-1] != tag and stack[-1] in optional:
                stack.pop()
            assert stack.pop() == tag, tag

    Page().feed(text)
    assert not stack and "url(" not in text and "@import" not in text
    assert len(set(ids)) == len(ids), "two elements have one id"
    assert set(links) <= set(ids), sorted(set(links) - set(ids))[:5]
    assert ("<del" in text) == (before != after)
    assert text.count('<article class="edit"') <= text.count("<s>"), "a deletion is not struck out"
    assert all(re.sub("&[a-z]+;", "", struck).count(";") <= 1 for struck in re.findall("<s>(.*?)</s>", text))
    if "cksum" in text:
        crc, size = subprocess.run(["cksum"], input=before, capture_output=True).stdout.decode().split()
        assert f">{size} bytes, cksum {crc}; " in text, (crc, size)


def check_svg(text, before, after):
    from xml.etree import ElementTree

    known = {"svg", "style", "title", "desc", "g", "rect", "text", "tspan", "line", "path"}
    for element in ElementTree.fromstring(text).iter():
        assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in known, element.tag
        assert not any("href" in key or key.startswith("on") for key in element.attrib), element.attrib
        if element.get("viewBox"):
            assert element.get("viewBox") == "0 0 %s %s" % (element.get("width"), element.get("height"))
    assert ("(removed)" in text or "is removed: PTX line" in text) == (before != after)


def judge(form, report, before, after):
    global PTX, REPORT
    PTX, REPORT = before, report
    for cached in content, hash_of, all_hashes:  # by paths of the last case's folder
        cached.cache_clear()
    text = pathlib.Path(report).read_bytes().decode("utf-8")
    globals()[f"check_{form}"](text, pathlib.Path(before).read_bytes(), pathlib.Path(after).read_bytes())


def main():
    for line in sys.stdin:
        name, folder, *case = line.rstrip("\n").split("\t")
        os.chdir(folder)
        try:
            judge(*case)
            print(f"ok - {name}", flush=True)
        except Absent as absent:
            print(f"ok - {name} # SKIP {absent}")
        except Exception as error:  # whatever it is, the next case is asked, too
            lines = str(error) if isinstance(error, AssertionError) else traceback.format_exc()
            print("".join(f"# {line}\n" for line in lines.splitlines()[-10:]) + f"not ok - {name}", flush=True)


main()
