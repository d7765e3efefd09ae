"""Moves the findings of ptxopt's SARIF from the PTX to the lines of the CUDA source.

cuda_lines.py [--annotations] ROOT <PTX.sarif: prints SARIF that GitHub code scanning, or reviewdog, can show beside
the lines of a diff, or with --annotations the same as workflow commands.

A compiler inlines and unrolls, so one line becomes several instructions, of which some may be kept. A finding is
placed at the innermost call of which no instruction is kept; if there is none, at the outermost call, with a
remark. Findings of one rule at one line are merged. Only lines of files that git tracks below ROOT count; a
finding without such a line (no -lineinfo, foreign headers) is left out, and counted on standard error.
"""

import argparse
import json
import pathlib
import posixpath
import subprocess
import sys
import urllib.parse

LEVELS = ["error", "warning", "note"]  # the most serious first
MANY = 10  # of PTX places beside a line, and of annotations that GitHub shows of a step


class Repository:
    """The files that git tracks below root, and the one that a path of the compiler means."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        # In a container the folder may belong to another user.
        command = ["git", "-c", f"safe.directory={self.root}", "ls-files", "-z"]
        listed = subprocess.run(command, cwd=self.root, check=False, stdout=subprocess.PIPE)
        if listed.returncode:
            sys.exit(f"cuda_lines.py: git cannot list the files of {root}: expected the folder of a repository")
        self.files = set(listed.stdout.decode(errors="surrogateescape").split("\0")) - {""}
        self.by_name = {}
        for file in self.files:
            self.by_name.setdefault(posixpath.basename(file), []).append(file)
        self.known = {}

    def find(self, uri):
        """The tracked file, or None."""
        if uri not in self.known:
            self.known[uri] = self._find(uri)
        return self.known[uri]

    def _find(self, uri):
        path = posixpath.normpath(urllib.parse.unquote(uri.removeprefix("file://"), errors="surrogateescape"))
        if posixpath.isabs(path):
            try:
                path = str(pathlib.PurePosixPath(path).relative_to(self.root))
            except ValueError:
                return self._elsewhere(path)
        while path.startswith("../"):
            path = path[len("../"):]
        return path if path in self.files else self._only_one(path)

    def _only_one(self, path):
        """The compiler ran in an unknown folder: the only file whose path ends in this one."""
        ends = [file for file in self.by_name.get(posixpath.basename(path), []) if file.endswith("/" + path)]
        return ends[0] if len(ends) == 1 else None

    def _elsewhere(self, path):
        """Compiled in another checkout: at least the name of a folder has to be the same."""
        parts = path.strip("/").split("/")
        for first in range(len(parts) - 1):
            end = "/".join(parts[first:])
            found = end if end in self.files else self._only_one(end)
            if found:
                return found
        return None


def frames(result, repository):
    """The lines of the repository from which it comes, innermost first."""
    places = []
    for stack in result.get("stacks", []):
        for frame in stack["frames"]:
            physical = frame["location"]["physicalLocation"]
            file = repository.find(physical["artifactLocation"]["uri"])
            if file:
                places.append((file, physical["region"]["startLine"]))
    return places


def grouped(results, repository):
    """The findings by (file, line, rule), the lines with kept instructions, and the findings without a line."""
    kept, groups, lost = set(), {}, 0
    for result in results:
        if result["kind"] == "informational":
            kept.update(frames(result, repository))
    for result in results:
        if result["kind"] == "informational":
            continue
        places = frames(result, repository)
        if places:
            place = next((place for place in places if place not in kept), places[-1])
            groups.setdefault((*place, result["ruleId"]), []).append(result)
        else:
            lost += 1
    return groups, kept, lost


def ptx_place(result):
    physical = result["locations"][0]["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


def location(uri, line):
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}}


def message(results, some_stay):
    """A line for all of them, then the argument of the first one and the advice for the author."""
    properties = results[0]["properties"]
    text = results[0]["message"]["text"]
    uri, line = ptx_place(results[0])
    times = f"{len(results)} times, first" if len(results) > 1 else "Once"
    stay = " Other instructions of this line are kept." if some_stay else ""
    advice = f"\nAdvice: {properties['advice']}." if "advice" in properties else ""
    return f"{properties['brief']}\n{times} at {uri}:{line}: {text}{stay}{advice}"


def moved(place, results, kept):
    """One finding at a line of the CUDA source for all results there."""
    file, line, _ = place
    first = results[0]
    result = {key: first[key] for key in ("ruleId", "ruleIndex", "kind", "level", "partialFingerprints")}
    # It is for the line of the PTX; the program that uploads the log computes it for this line.
    result["partialFingerprints"].pop("primaryLocationLineHash", None)
    result["message"] = {"text": message(results, (file, line) in kept)}
    result["locations"] = [location(urllib.parse.quote(file, errors="surrogateescape"), line)]
    result["relatedLocations"] = [
        {"id": number, **location(*ptx_place(one)), "message": {"text": "in the PTX"}}
        for number, one in enumerate(results[:MANY], 1)
    ]
    return result


def escaped(text, more=""):
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def annotation(result):
    physical = result["locations"][0]["physicalLocation"]
    file = urllib.parse.unquote(physical["artifactLocation"]["uri"])
    kind = {"error": "error", "warning": "warning"}.get(result["level"], "notice")
    title = escaped("ptxopt " + result["ruleId"], ":,")
    text = escaped(result["message"]["text"])
    return f"::{kind} file={escaped(file, ':,')},line={physical['region']['startLine']},title={title}::{text}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--annotations", action="store_true", help="write workflow commands instead of SARIF")
    parser.add_argument("root", metavar="ROOT", help="the folder of the repository")
    options = parser.parse_args()
    log = json.load(sys.stdin)
    (run,) = log["runs"]
    groups, kept, lost = grouped(run["results"], Repository(options.root))
    run["results"] = [moved(place, results, kept) for place, results in sorted(groups.items())]
    run.pop("artifacts", None)
    if lost:
        print(f"{lost} findings have no line in the repository (was it compiled with -lineinfo?)", file=sys.stderr)
    if options.annotations:
        for result in sorted(run["results"], key=lambda result: LEVELS.index(result["level"]))[:MANY]:
            print(annotation(result))
    else:
        json.dump(log, sys.stdout, ensure_ascii=False)
        print()


main()
