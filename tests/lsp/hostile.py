"""Damaged conversations: whatever the input, ptxopt lsp ends by itself with a status of its own, and its output consists
of frames."""
import os
import random
import re
import subprocess

import client

TIMES = 2000 if os.environ.get("PTXOPT_NIGHTLY") else 150
FRAME = re.compile(rb"Content-Length: (\d+)\r\n\r\n")


def conversation():
    with open(os.path.join(client.SOURCE, "tests/lsp/characters.ptx"), encoding="utf-8") as file:
        text = file.read()
    named = {"uri": "file:///k.ptx"}
    place = {"line": 10, "character": 20}
    return [client.frame(message) for message in (
        {"id": 1, "method": "initialize", "params": {"capabilities": {
            "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}}},
        {"method": "textDocument/didOpen", "params": {"textDocument": {**named, "version": 1, "text": text}}},
        {"id": 2, "method": "textDocument/hover", "params": {"textDocument": named, "position": place}},
        {"method": "textDocument/didChange", "params": {"textDocument": {**named, "version": 2}, "contentChanges": [
            {"range": {"start": place, "end": {"line": 99, "character": 0}}, "text": "𝄞"}, {"text": text}]}},
        {"id": 3, "method": "textDocument/codeAction", "params": {
            "textDocument": named, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}},
        {"method": "textDocument/didClose", "params": {"textDocument": named}},
        {"id": 4, "method": "shutdown"},
        {"method": "exit"})]


def damage_bytes(draw, frames):
    data = bytearray(b"".join(frames))
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(data))
        what = draw.randrange(4)
        if what == 0:
            data[at] = draw.randrange(256)
        elif what == 1:
            del data[at:at + draw.randint(1, 40)]
        elif what == 2:
            data[at:at] = bytes(draw.randrange(256) for _ in range(draw.randint(1, 20)))
        else:
            del data[at:]
            data += b"\r"
    return bytes(data)


def damage_bodies(draw, frames):
    """The heads are correct, so that the damaged part is read."""
    bodies = [bytearray(frame.split(b"\r\n\r\n", 1)[1]) for frame in frames]
    draw.shuffle(bodies) if draw.random() < 0.3 else None
    for _ in range(draw.randint(1, 6)):
        body = draw.choice(bodies)
        number = [found.span(1) for found in re.finditer(rb'[:\[{](\d+|"[^"]*"|\{\}|\[\])', body)]
        if number:
            start, end = draw.choice(number)
            body[start:end] = draw.choice([b"null", b"-1", b"4294967296", b"1e99", b'""', b'"\\u0000"', b"[]", b"{}", b"true"])
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)


def judge(data):
    """The faults of its reaction."""
    done = subprocess.run([client.PTXOPT, "lsp"], input=data, capture_output=True, timeout=client.PATIENCE)
    problems = []
    if done.returncode not in (0, 1, 2):
        problems.append(f"status {done.returncode}: {done.stderr[-300:]!r}")
    if (done.returncode == 2) != (re.fullmatch(rb"ptxopt: lsp: [^\n]+\n", done.stderr) is not None):
        problems.append(f"status {done.returncode} with {done.stderr[-300:]!r}")
    at = 0
    while at < len(done.stdout):
        found = FRAME.match(done.stdout, at)
        if not found:
            return problems + [f"no frame at {at}: {done.stdout[at:at + 60]!r}"]
        at = found.end() + int(found.group(1))
    return problems if at == len(done.stdout) else problems + ["the last frame is cut"]


def main():
    if not client.chosen("hostile"):
        return
    frames = conversation()
    for name, damage in (("bytes", damage_bytes), ("bodies", damage_bodies)):
        problems = []
        for seed in range(TIMES):
            data = damage(random.Random(f"{name} {seed}"), frames)
            problems += [f"seed {seed}: {problem}" for problem in judge(data)]
        client.verdict(f"{TIMES} conversations with damaged {name}", problems)
