"""Checks the output of `ptxopt --lint --fix` for many texts: fix.py SCRATCH

For each text, at the level of warnings and at that of notes:
- the output without the lines that are said to be inserted is the input, byte for byte;
- lint does not report for the output what is said to be fixed;
- the optimizer removes none of the inserted lines from the output;
- a second --fix changes nothing;
- ptxas accepts the output if it accepts the input.

Prints `VERDICT<TAB>NAME` for each text, VERDICT ok, fail or skip, and lines of comment.
"""

import collections
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys

SCRATCH = pathlib.Path(sys.argv[1])
ROOT = pathlib.Path(os.environ["SRCDIR"])
FINDINGS = pathlib.Path(os.environ["BUILDDIR"]) / "tests/lint_findings"
PTXOPT = os.environ["PTXOPT"]
PTXAS = shutil.which(os.environ.get("PTXAS", "ptxas") or "none")
EXPANDED = pathlib.Path(os.environ["EXPANDED"])
TABLE = ROOT / "tests/fix/mended.tsv"
LEVELS = ("warning", "note")
SAID = re.compile(r"^.*?/(\d+)\.ptx:(\d+):\d+: (fixed|not fixed): (.*) \[([a-z-]+)\]$")
PLACE = re.compile(r"(?:^inserted |, )(.+?) in front of PTX line (\d+)(?=, |$)")


def texts():
    """Pairs of the name of a case and its text."""
    shared = pathlib.Path(os.environ.get("PTXOPT_SHARED", "/nonexistent"))
    found = []
    for folder, pattern in (
        (EXPANDED, "lint-codes/*/*/*.ptx"),
        (EXPANDED, "bugs/*/*.ptx"),
        (ROOT / "tests", "pairs/*.txt"),
        (ROOT / "tests", "roles/**/*.ptx"),
        (ROOT / "tests", "fix/*.ptx"),
        (ROOT, "examples/*/*.ptx"),
        (shared, "lint-cases/*.ptx"),
    ):
        for path in sorted(folder.glob(pattern)):
            name = f"fix/{path.relative_to(folder).with_suffix('')}".replace("fix/fix/", "fix/")
            if fnmatch.fnmatchcase(name, os.environ.get("CASES") or "*"):
                found.append((name, path))
    return found


def options_of(text):
    line = text.split(b"\n", 1)[0].decode("utf-8", "replace")
    return tuple(line[len("// options:"):].split()) if line.startswith("// options:") else ()


def run(*command):
    done = subprocess.run(command, capture_output=True, timeout=600, check=False)
    return done.returncode, done.stderr.decode("utf-8", "replace"), done.stdout.decode("utf-8", "replace")


def run_on(folder, groups, *options):
    """Runs ptxopt on each group of texts, with output into the folder; returns all messages and failures."""
    folder.mkdir(parents=True)
    failed, messages = [], []
    for extra, paths in groups.items():
        # At least two texts, so that -o names a folder.
        status, said, _ = run(PTXOPT, *options, *extra, "-o", f"{folder}/", *map(str, paths))
        messages += said.splitlines()
        if status:
            failed.append(f"exit status {status}: {said.splitlines()[-1:]}")
    return messages, failed


def findings_of(paths):
    """For each path the set of (line, code) that lint reports as errors or warnings. A note may have been behind a
    warning of the same instruction."""
    found, at = {}, None
    _, _, out = run(FINDINGS, *map(str, paths), "/dev/null")
    for line in out.splitlines():
        if line.startswith("# "):
            at = found.setdefault(pathlib.Path(line[2:]), set())
        elif not line.startswith("refused"):
            number, level, code, _ = line.split()
            if level != "note":
                at.add((int(number), code))
    return found


def assembles(path):
    target = re.search(rb"^\s*\.target\s+(\w+)", path.read_bytes(), re.M)
    arch = target.group(1).decode() if target else "sm_100a"
    return run(PTXAS, f"-arch={arch}", str(path), "-o", f"{path}.cubin")[0] == 0


class Case:
    """One text, and the messages about it."""

    def __init__(self, name, path):
        self.name, self.before = name, path.read_bytes()
        self.faults, self.fixed, self.inserted, self.rows = [], [], collections.OrderedDict(), []

    def hear(self, line, verdict, says, code):
        if verdict != "fixed":
            return
        places = PLACE.findall(says)
        if not places:
            self.faults.append(f"line {line}: cannot read where it is inserted: {says}")
        self.fixed.append((line, code))
        for text, at in places:
            self.inserted.setdefault((int(at), text), None)
        self.rows.append((line, code, "; ".join(f"{text} in front of {at}" for text, at in places)))

    def now(self, line):
        """The line number in the output of a line of the input."""
        return line + sum(at <= line for at, _ in self.inserted)

    def new_lines(self):
        """The line numbers of the inserted lines in the output."""
        places = sorted(at for at, _ in self.inserted)
        return [at + i for i, at in enumerate(places)]

    def check_bytes(self, after):
        lines = after.splitlines(keepends=True) if b"\r" not in after else re.findall(rb"[^\n]*\n|[^\n]+$", after)
        new = set(self.new_lines())
        kept = b"".join(line for number, line in enumerate(lines, 1) if number not in new)
        if kept != self.before:
            self.faults.append("the output less the inserted lines is not the input")
        feeds = {line.endswith(b"\r\n") for line in lines}
        if len(feeds) > 1 and b"\r\n" in self.before[:200]:
            self.faults.append("an inserted line ends otherwise than the others")
        spelled = sorted(re.sub(r"[;\s]+$", "", line.decode().strip())
                         for number, line in enumerate(lines, 1) if number in new)
        if spelled != sorted(text for _, text in self.inserted):
            self.faults.append(f"the inserted lines are {spelled}")

    def check_quiet(self, findings):
        for line, code in self.fixed:
            if (self.now(line), code) in findings:
                self.faults.append(f"line {line}: {code} is reported of the output, too")

    def check_kept(self, after, optimized):
        after, optimized = after.split(b"\n"), optimized.split(b"\n")
        for number in self.new_lines():
            if after[number - 1] != optimized[number - 1]:
                self.faults.append(f"the optimizer deletes {after[number - 1].decode().strip()}")


def ask_ptxas(cases, folder):
    changed = [n for n, case in enumerate(cases) if case.inserted]

    def judge(number):
        return assembles(folder / f"{number}.ptx") or not assembles(SCRATCH / f"in/{number}.ptx")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, good in zip(changed, pool.map(judge, changed)):
            if not good:
                cases[number].faults.append("ptxas refuses the output, and takes the input")


def try_level(level, named, groups):
    cases = [Case(name, path) for name, path in named]
    out, opt, again = (SCRATCH / f"{what}.{level}" for what in ("out", "opt", "again"))
    messages, failed = run_on(out, groups, "--lint", "--fix", "--lint-level", level)
    for said in filter(None, map(SAID.match, messages)):
        number, line, verdict, says, code = said.groups()
        cases[int(number)].hear(int(line), verdict, says, code)
    mended = {extra: [out / path.name for path in paths] for extra, paths in groups.items()}
    failed += run_on(opt, mended, "-q")[1]
    failed += run_on(again, mended, "--lint", "--fix", "-q", "--lint-level", level)[1]
    findings = findings_of([out / f"{n}.ptx" for n in range(len(cases))])
    for number, case in enumerate(cases):
        after = (out / f"{number}.ptx").read_bytes()
        case.check_bytes(after)
        case.check_quiet(findings[out / f"{number}.ptx"])
        case.check_kept(after, (opt / f"{number}.ptx").read_bytes())
        if (again / f"{number}.ptx").read_bytes() != after:
            case.faults.append("a second --fix changes the text once more")
    if PTXAS:
        ask_ptxas(cases, out)
    return cases, failed


def check_table(cases):
    """Compares with the table of corrected findings; with UPDATE writes the table."""
    now = ["\t".join(map(str, (case.name, *row)))
           for case in cases if not case.name.startswith("fix/lint-cases/") for row in case.rows]
    if os.environ.get("UPDATE") and not os.environ.get("CASES"):
        TABLE.write_text("text\tline\tcode\tinserted\n" + "".join(f"{row}\n" for row in sorted(now)))
    known = [row for row in TABLE.read_text().splitlines()[1:]]
    names = {case.name for case in cases}
    lost = [row for row in known if row.split("\t")[0] in names and row not in now]
    for row in lost:
        print(f"#\tno longer so: {row}")
    print(f"#\t{len(now)} findings are mended, {len(known)} are in the table")
    print("fail" if lost else "ok", "fix/mended.tsv", sep="\t")


def main():
    named = texts()
    if not named:
        return
    (SCRATCH / "in").mkdir()
    groups = collections.defaultdict(list)
    for number, (_, path) in enumerate(named):
        copy = SCRATCH / f"in/{number}.ptx"
        shutil.copyfile(path, copy)
        groups[options_of(copy.read_bytes())].append(copy)
    tried = {level: try_level(level, named, groups) for level in LEVELS}
    for level, (cases, failed) in tried.items():
        for fault in failed:
            print(f"#\t{fault}")
        print("fail" if failed else "ok", f"fix: no run fails, {level}", sep="\t")
    for both in zip(*(cases for cases, _ in tried.values())):
        faults = [f"{level}: {fault}" for level, case in zip(LEVELS, both) for fault in case.faults]
        for fault in faults:
            print(f"#\t{fault}")
        print("fail" if faults else "ok", both[0].name, sep="\t")
    check_table(tried["note"][0])
    if not PTXAS:
        print("skip\tfix: ptxas takes what is mended")


main()
