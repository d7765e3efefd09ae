"""Asks sentryward about kernels before and after ptxopt: a race-free kernel must stay race free. Prints TAP; sentry.sh starts it.

SENTRY_KERNELS random kernels from SENTRY_SEED on, SENTRY_SITES kept waits and fences, every SENTRY_EVERYth kernel of the
cases, SENTRY_ALL=1 to ask also about kernels that ptxopt does not change, SENTRY_PATIENCE seconds for each question,
SENTRY_JOBS questions at once.
"""

import collections
import concurrent.futures
import fnmatch
import os
import random
import re
import sys

import cases
import dress
import judge
import kernels

PARTS = ("teeth", "examples", "cases", "kernels", "kept")
KERNELS = int(os.environ.get("SENTRY_KERNELS", "24"))
SEED = int(os.environ.get("SENTRY_SEED", "1"))
SITES = int(os.environ.get("SENTRY_SITES", "24"))
EVERY = int(os.environ.get("SENTRY_EVERY", "4"))
ALL = bool(os.environ.get("SENTRY_ALL"))
pool = concurrent.futures.ThreadPoolExecutor(int(os.environ.get("SENTRY_JOBS", "0")) or os.cpu_count() or 1)

count = 0


def line(good, name):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name, flush=True)


def comment(text):
    for part in str(text).rstrip("\n").split("\n"):
        print("#", part, flush=True)


class Question:
    """One kernel with one launch, before and after ptxopt, and sentryward's verdicts on both."""

    def __init__(self, name, source, optimized, kernel, launch_of):
        self.name, self.source, self.kernel = name, source, kernel
        header, plain = cases.flat_kernels(source)[kernel]
        launch = launch_of(header, plain)
        self.dressed = launch is cases.DRESSED
        self.before, self.after = self.body(source), self.body(optimized)
        self.changed = self.before != self.after
        self.asked = judge.question(kernel, header, launch)
        self.first = self.second = None

    def body(self, text):
        """The kernel in this version of its text, in the form for sentryward."""
        header, plain = cases.flat_kernels(text)[self.kernel]
        return dress.dress(plain, header) if self.dressed else plain

    def answer(self):
        if self.changed or ALL:
            self.first = judge.ask(self.before, self.asked)
            if self.changed and self.first.result == "race_free":
                self.second = judge.ask(self.after, self.asked)
                if self.second.result in judge.LIMITS:  # it is as large as before: the machine was busy
                    self.second = judge.ask(self.after, self.asked, 10 * judge.PATIENCE)
        return self

    def is_free_without_pairs(self):
        """Whether only orders of the pairs of ISA 9.4 are lost, which sentryward does not know."""
        without = judge.optimize(self.source, "--no-assume", "isa-9.4-pairs")[0]
        return judge.ask(self.body(without), self.asked).result == "race_free"

    def is_free_with_lanes_together(self):
        """Whether only the .sync of the removed waits is missed: with a barrier of the warp in place of each, no race is left.

        That barrier completes no load or store of tensor memory, so this does not excuse a removed wait whose completion is needed."""
        raw = self.source.encode()
        for edit in sorted(edits_of(self), key=lambda edit: -edit.start):
            instead = LANES_TOGETHER if KIND.search(edit.text).group(1).startswith("wait") else ""
            raw = raw[:edit.start] + instead.encode() + raw[edit.end:]
        return judge.ask(self.body(raw.decode()), self.asked).result == "race_free"


def questions(name, text, launch_of):
    """A question for each kernel of a text that ptxopt accepts."""
    optimized = judge.optimize(text)
    if not optimized:
        return
    after = cases.flat_kernels(optimized[0])
    for kernel in cases.flat_kernels(text):
        if kernel in after:
            yield Question(name, text, optimized[0], kernel, launch_of)


def edits_of(question):
    return [edit for edit in judge.optimize(question.source)[1] if edit.function == question.kernel]


def culprits(question):
    """The edits that alone make the kernel no longer race free, with the verdict without them."""
    for edit in edits_of(question):
        body = question.body(judge.optimize(question.source, f"--only={edit.id}")[0])
        verdict = judge.ask(body, question.asked)
        if body != question.before and verdict.result != "race_free":
            yield f"line {edit.line}: {edit.text} ({edit.rule}), id {edit.id}: {verdict.result}, {verdict.code}, {verdict.message}"


def show_loss(question):
    comment(f"{question.name}, kernel {question.kernel}: {question.second.result}, {question.second.code}, {question.second.message}")
    comment("by one of these edits alone:")
    comment("\n".join(culprits(question)) or "none of them alone")
    comment("all edits:")
    comment("\n".join(f"line {edit.line}: {edit.text} ({edit.rule})" for edit in edits_of(question)))
    comment("the kernel that sentryward was asked of first:")
    comment(question.before)


def told(what, asked):
    """Prints the figures of one part, and its result line. Returns the questions that were race free."""
    done = list(pool.map(Question.answer, asked))
    supported = [q for q in done if q.first and q.first.result in judge.ANSWERS]
    free = [q for q in supported if q.first.result == "race_free"]
    changed = [q for q in free if q.changed]
    stayed = [q for q in changed if q.second.result == "race_free"]
    unanswered = [q for q in changed if q.second.result in judge.LIMITS]
    wrong = [q for q in changed if q not in stayed and q not in unanswered]
    by_pairs = [q for q in wrong if q.is_free_without_pairs()]
    by_lanes = [q for q in wrong if q not in by_pairs and q.is_free_with_lanes_together()]
    comment(f"{what}: {len(done)} kernels, {sum(q.changed for q in done)} changed by ptxopt; sentryward was asked of "
            f"{sum(q.first is not None for q in done)} and answers {len(supported)}; race free {len(free)}, "
            f"of these changed by ptxopt {len(changed)}, race free after it {len(stayed)}, "
            f"only by the pairs of ISA 9.4 {len(by_pairs)}, only for the .sync of a wait {len(by_lanes)}, no answer in time {len(unanswered)}")
    said = collections.Counter((q.first.result, q.first.code) for q in done if q.first)
    for (result, code), number in said.most_common():
        comment(f"  {number:5} {result}{': ' + code if code else ''}")
    for question in wrong:
        if question not in by_pairs + by_lanes:
            show_loss(question)
    name = f"{what}: what was race free is race free after ptxopt"
    if not changed and any(q.first.result in judge.LIMITS for q in done if q.first):
        line(True, name + f" # SKIP no answer in {judge.PATIENCE} s for any; SENTRY_PATIENCE gives more")
    else:
        line(changed and len(by_pairs) + len(by_lanes) == len(wrong), name)
    return free


WAIT = re.compile(r"tcgen05\.wait::(?:ld|st)\.sync\.aligned;")
# What a wait is if its completion is not needed: it orders the lanes.
LANES_TOGETHER = "bar.warp.sync 0xffffffff;"


def teeth():
    """Checks that sentryward notices missing waits: with a barrier of the warp in place of each, most race-free kernels have a race."""
    lost = asked = 0
    for seed in range(SEED, SEED + 8):
        text, launch = kernels.kernel(seed)
        header, body = cases.flat_kernels(text)["k"]
        question = judge.question("k", header, launch)
        if judge.ask(body, question).result == "race_free":
            asked += 1
            lost += judge.ask(WAIT.sub(LANES_TOGETHER, body), question).result in ("potential_race", "invalid_lifecycle")
    comment(f"with a barrier of the warp for each wait: {lost} of {asked} random kernels are not race free any more")
    line(2 * lost > asked, "most random kernels are not race free with a barrier of the warp in place of each wait")


def examples():
    asked = []
    for name, text, launch in cases.of_the_examples():
        if ALL or not launch.get("long"):
            asked += questions(name, text, lambda *_, launch=launch: launch)
    return told("examples", asked)


def of_cases():
    texts = list(cases.of_the_tree())
    asked = [q for some in pool.map(lambda case: list(questions(*case, cases.launch_by_rule)), texts) for q in some]
    comment(f"cases: {len(texts)} texts with {len(asked)} kernels that ptxopt takes, of which each {EVERY}th is taken, "
            "with one launch by rule; fragments are made whole (dress.py)")
    return told("cases", asked[::EVERY])


def random_kernels():
    def one(seed):
        text, launch = kernels.kernel(seed)
        return list(questions(f"seed {seed}", text, lambda *_: launch))
    asked = [q for some in pool.map(one, range(SEED, SEED + KERNELS)) for q in some]
    return told("random kernels", asked)


KIND = re.compile(r"(?:tcgen05\.)?(wait::ld|wait::st|fence::before|fence::after|fence\.proxy\.async)")
# A row of the table in doc/model.md: what is kept, the words for why.
ROW = re.compile(r"^\| ((?:wait|fence)[a-z:., ]+) \| ([a-z, -]+) \|", re.M)


def told_in_the_model():
    """Whether doc/model.md explains each reason for which ptxopt keeps something that sentryward does not need."""
    text = (cases.SOURCE / "doc" / "model.md").read_text()
    cells = {(kind, reason) for kinds, reasons in ROW.findall(text)
             for kind in kinds.split(", ") for reason in reasons.split(", ")}
    return lambda kind, reason: (kind, reason) in cells or (kind, "any") in cells


def chosen_sites(free):
    """SITES of the kept instructions, as (question, text, edit), of all kinds and reasons in turn."""
    cells = collections.defaultdict(list)
    for question in free:
        text = judge.optimize(question.source)[0]
        for edit in {edit.start: edit for edit in judge.optimize(text)[2]}.values():
            cells[KIND.search(edit.text).group(1), edit.reason].append((question, text, edit))
    order = random.Random(SEED)
    for sites in cells.values():
        order.shuffle(sites)
    longest = max(map(len, cells.values()), default=0)
    return [(cell, cells[cell][i]) for i in range(longest) for cell in sorted(cells) if i < len(cells[cell])][:SITES]


def kept(free):
    """What ptxopt keeps and sentryward does not need, by kind and reason: doc/model.md explains each."""
    def lost(site):
        (kind, reason), (question, text, edit) = site
        raw = text.encode()
        without = (raw[:edit.start] + raw[edit.end:]).decode()
        verdict = judge.ask(question.body(without), question.asked)
        used = re.search(r"loaded registers (\w+) are read", question.source)
        return kind, reason, verdict.result, f"{question.name}, line {edit.line}", used.group(1) if used else "some"
    cells, of_loads = collections.defaultdict(list), collections.defaultdict(list)
    for kind, reason, result, where, used in pool.map(lost, chosen_sites(free)):
        if result in judge.ANSWERS:
            cells[kind, reason].append((result == "race_free", where))
            if kind == "wait::ld":
                of_loads[used].append(result == "race_free")
    known = told_in_the_model()
    comment("| kept | reason | not missed by sentryward | asked |")
    for (kind, reason), sites in sorted(cells.items()):
        comment(f"| {kind} | {reason} | {sum(free for free, _ in sites)} | {len(sites)} |")
    for used, missed in sorted(of_loads.items()):
        comment(f"wait::ld where of the loaded registers {used} are read: {sum(missed)} of {len(missed)} not missed")
    untold = {cell: where for cell, sites in sorted(cells.items()) for free, where in sites if free and not known(*cell)}
    for (kind, reason), where in untold.items():
        comment(f"{where}: {kind}, kept for {reason}, is not missed, and doc/model.md does not say why it stays")
    line(bool(cells) and not untold, "doc/model.md says why each kind that sentryward does not miss stays")


def main():
    wanted = os.environ.get("CASES") or "*"
    work = {"teeth": teeth, "examples": examples, "cases": of_cases, "kernels": random_kernels}
    chosen = [part for part in PARTS if fnmatch.fnmatch(f"sentry/{part}", wanted)]
    free = []
    for part in chosen:
        if part == "kept":
            kept(free or random_kernels())
        else:
            free = work[part]()
    print(f"1..{count}" if count else "1..0 # SKIP no cases here")


if __name__ == "__main__":
    main()
