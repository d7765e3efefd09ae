#!/usr/bin/env python3
"""rename.py web|few TO FILE...: writes each kernel to TO/0.ptx, TO/1.ptx, ... in that order, with other registers.

web: each chain of definitions and uses that belong together has a name of its own.
few: as few names a type as liveness allows.

The program is the same, line by line: each statement keeps its place, and new declarations follow the '{' of the body.
This program reads PTX and finds the chains by itself, so that it can disagree with src/flow/webs.c.
"""
import re
import sys

IDENTIFIER = re.compile(r"(?<![\w$%.])[%$_A-Za-z][\w$]*")
# The first operand is no destination.
SOURCES_ONLY = re.compile(
    r"(bar|barrier)(\.cta|\.warp|\.cluster)?\.(sync|arrive|wait)\b|tcgen05\.dealloc|nanosleep|setmaxnreg|bra\b|brx|"
    r"ret\b|exit\b|trap\b|stackrestore|pmevent|st\.|red\.|cp\.|wgmma\.(fence|commit|wait)|fence|membar")
ACCUMULATES = re.compile(r"wgmma\.mma_async")
ENDS = re.compile(r"(exit|ret|trap)\b|bra\b|brx")


def blanked(text):
    """Replaces comments by blanks, so that places do not change."""
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


class Scope:
    def __init__(self, parent):
        self.parent, self.names, self.ranges, self.labels = parent, {}, {}, {}

    def register(self, name):
        scope = self
        while scope:
            if name in scope.names:
                return (id(scope), name), scope.names[name]
            stem = name.rstrip("0123456789")
            number = name[len(stem):]
            if number and stem in scope.ranges and int(number) < scope.ranges[stem][0]:
                return (id(scope), stem + str(int(number))), scope.ranges[stem][1]
            scope = scope.parent
        return None

    def label(self, name):
        scope = self
        while scope:
            if name in scope.labels:
                return scope.labels[name]
            scope = scope.parent
        raise SystemExit("no label " + name)

    def declare(self, statement):
        match = re.match(r"\.reg\s+((?:\.\w+\s*)+)(.*)", statement, re.S)
        if not match:
            return
        kind = match.group(1).split()[-1]
        for item in match.group(2).split(","):
            ranged = re.match(r"\s*([^\s<]+)\s*<\s*(\d+)\s*>", item)
            if ranged:
                self.ranges[ranged.group(1)] = (int(ranged.group(2)), kind)
            else:
                self.names[item.strip()] = kind


class Place:
    """A register that an instruction names."""

    def __init__(self, start, end, register, kind, write):
        self.start, self.end, self.register, self.kind, self.write = start, end, register, kind, write


class Instruction:
    def __init__(self, opcode, guarded, scope, places, rest):
        self.opcode, self.guarded, self.scope, self.places, self.rest = opcode, guarded, scope, places, rest
        self.successors = []

    def replaces(self):
        return not self.guarded and not ACCUMULATES.match(self.opcode)

    def read(self):
        held = {p.register for p in self.places if not p.write}
        if not self.replaces():
            held |= self.written()
        return held

    def written(self):
        return {p.register for p in self.places if p.write}


def operands_of(text, start):
    """(start, end) of each operand, blanks and all."""
    depth, begin = 0, start
    for at in range(start, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
        elif text[at] == "," and not depth:
            yield begin, at
            begin = at + 1
    if text[begin:].strip():
        yield begin, len(text)


def read_instruction(statement, offset, scope):
    head = re.match(r"\s*(?:@\s*!?\s*([%$\w]+)\s*)?([a-z][\w.:]*)", statement)
    opcode, places = head.group(2), []
    if head.group(1) and scope.register(head.group(1)):
        places.append(Place(offset + head.start(1), offset + head.end(1), *scope.register(head.group(1)), False))
    writes = 0 if SOURCES_ONLY.match(opcode) else 2 if opcode.startswith("tcgen05.ld.red") else 1
    for number, (begin, end) in enumerate(operands_of(statement, head.end())):
        text = statement[begin:end]
        to = number < writes and not text.strip().startswith("[")
        if opcode.startswith("call"):
            to = number == 0 and text.strip().startswith("(")
        for match in IDENTIFIER.finditer(text):
            found = scope.register(match.group())
            if found:
                at = offset + begin
                places.append(Place(at + match.start(), at + match.end(), *found, to))
    return Instruction(opcode, bool(head.group(1)), scope, places, statement[head.end():].strip())


def read_body(text, start, end):
    """The instructions of the body text[start:end], and the tables of branch targets."""
    scope, instructions, tables, at = Scope(None), [], {}, start
    while at < end:
        if text[at].isspace() or text[at] == ";":
            at += 1
        elif text[at] == "{":
            scope, at = Scope(scope), at + 1
        elif text[at] == "}":
            scope, at = scope.parent, at + 1
        else:
            label = re.compile(r"([%$_A-Za-z][\w$]*)\s*:(?!:)").match(text, at)
            if label:
                scope.labels[label.group(1)] = len(instructions)
                at = label.end()
                table = re.compile(r"\s*\.branchtargets([^;]*);").match(text, at)
                if table:
                    tables[label.group(1)] = [name.strip() for name in table.group(1).split(",")]
                    at = table.end()
                continue
            stop = text.index(";", at)
            statement = text[at:stop]
            if statement.startswith("."):
                scope.declare(statement)
                if statement.startswith((".loc", ".pragma")):
                    stop = text.find("\n", at) if statement.startswith(".loc") else stop
            else:
                instructions.append(read_instruction(statement, at, scope))
            at = stop + 1
    return instructions, tables


def connect(instructions, tables):
    for number, one in enumerate(instructions):
        targets = []
        if one.opcode.startswith("brx"):
            targets = tables[one.rest.split(",")[-1].strip()]
        elif one.opcode.startswith("bra"):
            targets = [one.rest]
        one.successors = [one.scope.label(name) for name in targets]
        if one.guarded or not ENDS.match(one.opcode):
            one.successors.append(number + 1)
        one.successors = [to for to in one.successors if to < len(instructions)]


def reachable(instructions):
    seen, left = set(), [0]
    while left:
        number = left.pop()
        if number in seen or number >= len(instructions):
            continue
        seen.add(number)
        left += instructions[number].successors
    return seen


class Sets:
    def __init__(self):
        self.parent = {}

    def root(self, one):
        self.parent.setdefault(one, one)
        while self.parent[one] != one:
            one = self.parent[one]
        return one

    def join(self, a, b):
        a, b = self.root(a), self.root(b)
        if a != b:
            self.parent[max(a, b)] = min(a, b)


ENTRY = -1


def join_reached(instructions, register, live, sets, number_of):
    """Follows the value that each instruction writes to the instructions that read it; the entry writes one, too."""
    at_place = {}
    for number, one in enumerate(instructions):
        mine = [number_of[id(p)] for p in one.places if p.register == register]
        if mine:
            at_place[number] = mine
    definitions = [ENTRY] + [n for n in at_place if n in live and register in instructions[n].written()]
    for definition in definitions:
        own = None
        if definition != ENTRY:
            one = instructions[definition]
            written = [number_of[id(p)] for p in one.places if p.register == register and p.write]
            own = written[0]
            for other in written:
                sets.join(own, other)
        seen, left = set(), [0] if definition == ENTRY else list(instructions[definition].successors)
        while left:
            number = left.pop()
            if number in seen:
                continue
            seen.add(number)
            one = instructions[number]
            for place in (p for p in one.places if p.register == register):
                if place.write and one.replaces():
                    continue
                own = number_of[id(place)] if own is None else own
                sets.join(own, number_of[id(place)])
            if not (register in one.written() and one.replaces()):
                left += one.successors


def webs_of(instructions):
    """The number of the web for each place, in the order of the text."""
    places = [p for one in instructions for p in one.places]
    number_of = {id(p): n for n, p in enumerate(places)}
    live, sets, by_register = reachable(instructions), Sets(), {}
    for number, place in enumerate(places):
        sets.root(number)
        by_register.setdefault(place.register, []).append(number)
    for register, numbers in by_register.items():
        if sum(places[n].write for n in numbers) < 2:
            for n in numbers:
                sets.join(numbers[0], n)
        else:
            join_reached(instructions, register, live, sets, number_of)
    return places, [sets.root(n) for n in range(len(places))]


def by_web(instructions, webs):
    """The instructions again, as (read, written, replaces) of webs."""
    number, rows = 0, []
    for one in instructions:
        read, written = set(), set()
        for place in one.places:
            (written if place.write else read).add(webs[number])
            if place.write and not one.replaces():
                read.add(webs[number])
            number += 1
        rows.append((read, written))
    return rows


def colours(instructions, places, webs):
    """A small number for each web; webs of one type that are live at one place get different numbers."""
    rows = by_web(instructions, webs)
    live = [set() for _ in instructions]
    changed = True
    while changed:
        changed = False
        for number in range(len(instructions) - 1, -1, -1):
            out = set().union(*(live[to] for to in instructions[number].successors))
            read, written = rows[number]
            before = (out - written) | read
            if before != live[number]:
                live[number], changed = before, True
    kind = {webs[n]: place.kind for n, place in enumerate(places)}
    meets = {web: set() for web in webs}
    for number, one in enumerate(instructions):
        out = set().union(*(live[to] for to in one.successors))
        read, written = rows[number]
        for web in written:
            for other in out | written | (read if not one.replaces() else set()):
                if other != web:
                    meets[web].add(other)
                    meets[other].add(web)
    colour = {}
    for web in sorted(set(webs)):
        taken = {colour[other] for other in meets[web] if other in colour and kind[other] == kind[web]}
        colour[web] = next(n for n in range(len(taken) + 1) if n not in taken)
    return [colour[web] for web in webs]


def bodies_of(text):
    """(start, end) of the text between the braces of each function."""
    at = 0
    while True:
        match = re.compile(r"\.(entry|func)\b[^;{]*\{").search(text, at)
        if not match:
            return
        depth, at = 1, match.end()
        start = at
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield start, at - 1


def renamed(text, few):
    edits, blank = [], blanked(text)
    for start, end in bodies_of(blank):
        instructions, tables = read_body(blank, start, end)
        connect(instructions, tables)
        places, webs = webs_of(instructions)
        numbers = colours(instructions, places, webs) if few else webs
        most = {}
        for place, number in zip(places, numbers):
            name = "%s_%s_%d" % ("%few" if few else "%web", place.kind[1:], number)
            edits.append((place.start, place.end, name))
            most[place.kind] = max(most.get(place.kind, 0), number + 1)
        declared = "".join(" .reg %s %s_%s_<%d>;" % (kind, "%few" if few else "%web", kind[1:], count)
                           for kind, count in sorted(most.items()))
        edits.append((start, start, declared))
    for start, end, name in sorted(edits, reverse=True):
        text = text[:start] + name + text[end:]
    return text


def main(way, to, files):
    for number, path in enumerate(files):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open("%s/%d.ptx" % (to, number), "w", encoding="utf-8") as out:
            out.write(renamed(text, way == "few"))


main(sys.argv[1], sys.argv[2], sys.argv[3:])
