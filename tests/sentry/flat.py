"""Converts PTX to a form that sentryward reads correctly: one statement per line, separate names in each nested scope, no
comments, no line numbers.

nvcc copies inline assembly as it was written: `{ .reg .pred p; elect.sync _|p, -1; … }` on one line, and another `p`
in the next scope; sentryward 0.1.1 takes the two for one register.
"""

import re

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:[^"\\]|\\.)*")', re.S)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[%\w$]+|\s+|.', re.S)
# Directives that end with their line, and those of them that do not change what is executed.
LINE_DIRECTIVE = re.compile(r"\s*\.(?:version|target|address_size|loc|file)\b[^\n]*")
DEBUG = re.compile(r"\s*\.(?:loc|file)\b")
NAME = re.compile(r"[%\w$]+$")
HEADER = re.compile(r"(?:\.\w+\s+)*\.(?:entry|func)\b")
LABEL = re.compile(r"[%\w$]+$")


def statements(text):
    """The text's statements, in order: "{" and "}" of scopes, "NAME:", and what ends in ";" or with its line."""
    text = NOISE.sub(lambda match: match.group(1) or " ", text)
    place, held, inside = 0, "", 0
    while place < len(text):
        if not held.strip():
            directive = LINE_DIRECTIVE.match(text, place)
            if directive:
                yield directive.group().strip()
                place = directive.end()
                continue
            section = re.compile(r"\s*\.section\b[^{]*\{[^}]*\}").match(text, place)
            if section:
                place = section.end()
                continue
        token = TOKEN.match(text, place).group()
        place += len(token)
        begins = not held.strip()
        if token == "{" and (begins or HEADER.match(held.strip()) and not inside):
            if not begins:
                yield " ".join(held.split())
            yield "{"
            held = ""
        elif token == "}" and begins:
            yield "}"
        elif token == ":" and LABEL.match(held.strip()):
            yield held.strip() + ":"
            held = ""
        elif token == ";" and not inside:
            yield " ".join(held.split()) + ";"
            held = ""
        else:
            inside += (token in "({[") - (token in ")}]")
            held += token
    if held.strip():
        yield " ".join(held.split())


def declared(statement):
    """The names that one statement declares, each as (name, count or "")."""
    match = re.match(r"\.(?:reg|local|shared|param)\b(.*);$", statement)
    if not match:
        return []
    words = re.sub(r"\.align\s+\d+|\.v?\w+|\[[^\]]*\]|=.*", " ", match.group(1))
    return re.findall(r"([%\w$]+)(?:<(\d+)>)?", words)


def scopes(lines):
    """The declarations directly in each scope, with labels, by the number of its "{"."""
    names, open_scopes = {}, []
    for number, line in enumerate(lines):
        if line == "{":
            open_scopes.append(number)
            names[number] = []
        elif line == "}":
            if open_scopes:
                open_scopes.pop()
        elif open_scopes:
            if line.endswith(":"):
                names[open_scopes[-1]].append((line[:-1], ""))
            else:
                names[open_scopes[-1]] += declared(line)
    return names


def flatten(text):
    """The same program with one statement per line, and different names in nested scopes."""
    lines = list(statements(text))
    names = scopes(lines)
    out, renamings = [], []
    for number, line in enumerate(lines):
        if line == "{":
            mapping = {}
            if renamings:  # the body of a function keeps its names
                for name, count in names[number]:
                    numbered = range(int(count)) if count else [""]
                    mapping.update((f"{name}{i}", f"{name}_s{number}_{i}" if count else f"{name}_s{number}") for i in numbered)
                    if count:
                        mapping[name + "<"] = f"{name}_s{number}_"
            renamings.append(mapping)
        elif line == "}":
            if renamings:
                renamings.pop()
        elif DEBUG.match(line):
            continue
        else:
            for mapping in reversed(renamings):
                if mapping:
                    line = renamed(line, mapping)
        out.append(line)
    return "\n".join(out) + "\n"


def renamed(line, mapping):
    """The statement with the names of one scope replaced; a word after a dot is a modifier, not a name."""
    def replacement(match):
        name = match.group(1)
        if match.group(2) and name + "<" in mapping:
            return mapping[name + "<"] + match.group(2)
        return mapping.get(name, name) + (match.group(2) or "")
    return re.sub(r"(?<![.\w$%])([%\w$]+)(<)?", replacement, line)



SELP = re.compile(r"selp\.[bsu]32 ([%\w$]+), ?1, ?0, ?([%\w$]+);$")
SETP = re.compile(r"setp\.(eq|ne)\.[bsu]32 ([%\w$]+), ?([%\w$]+), ?0;$")
BRANCH = re.compile(r"@(!?)([%\w$]+) bra(?:\.uni)? ([%\w$]+);$")


def with_plain_polls(text):
    """Each loop `L: poll p; selp r, 1, 0, p; setp q, r, 0; @q bra L` is changed to branch directly after the poll, by p itself.

    nvcc writes a spin loop in this form if its poll is inline assembly; sentryward recognises a loop as a wait only if nothing
    is between the poll and its branch. The selp and setp are moved after the loop: in the loop each iteration overwrites them.
    """
    lines = text.split("\n")
    code = [i for i, line in enumerate(lines) if line not in ("{", "}", "") and not line.startswith(".reg ")]
    moved = {}
    for at, (poll, first, second, third) in enumerate(zip(code, code[1:], code[2:], code[3:])):
        selp, setp, branch = SELP.match(lines[first]), SETP.match(lines[second]), BRANCH.match(lines[third])
        if not (selp and setp and branch and "mbarrier.t" in lines[poll]):
            continue
        used = rf"(?<![.\w$%])(?:{re.escape(selp.group(1))}|{re.escape(setp.group(2))})(?![\w$%])|\bbra\b"
        top = at - 1
        while not lines[code[top]].endswith(":") and not re.search(used, lines[code[top]]):
            top -= 1
        if (setp.group(3), branch.group(2)) == (selp.group(1), setp.group(2)) and selp.group(2) in lines[poll] \
                and lines[code[top]] == branch.group(3) + ":":
            negated = (setp.group(1) == "eq") != (branch.group(1) == "!")
            moved[poll] = f"\n@{'!' if negated else ''}{selp.group(2)} bra {branch.group(3)};"
            moved[third] = None
    return "\n".join(line + (moved.get(i) or "") for i, line in enumerate(lines) if moved.get(i, "") is not None)


def kernels_of(text):
    """Each kernel of a flattened text: its name, header and the text with no other kernel in it."""
    lines = text.rstrip("\n").split("\n")
    common, bodies, place = [], {}, 0
    defined = set()
    while place < len(lines):
        line = lines[place]
        end = place + 1
        if HEADER.match(line) and end < len(lines) and lines[end] == "{":
            depth = 1
            while depth and end + 1 < len(lines):
                end += 1
                depth += (lines[end] == "{") - (lines[end] == "}")
            end += 1
            if ".entry" in line:
                name = re.search(r"\.entry\s+([\w$%]+)", line).group(1)
                bodies[name] = (len(common), line, lines[place:end])
            else:
                defined.add(function_name(line))
                common.append((line, lines[place:end]))
        else:
            common.append((line, [line]))
        place = end
    for name, (at, header, body) in bodies.items():
        parts = [part for line, part in common[:at] if kept_declaration(line, defined)] + [body]
        parts += [part for line, part in common[at:] if kept_declaration(line, defined)]
        yield name, header, "\n".join("\n".join(part) for part in parts) + "\n"


def function_name(header):
    return re.search(r"\.func\s*(?:\([^)]*\))?\s*([\w$%]+)", header).group(1)


def kept_declaration(line, defined):
    """Without declarations of a function before its body: sentryward takes these for a second function."""
    return not (HEADER.match(line) and line.endswith(";") and ".func" in line and function_name(line) in defined)
