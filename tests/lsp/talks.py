"""Conversations as data: tests/lsp/talks/NAME.talk, read and written as its lines begin.

  $ OPTION…     the options of ptxopt lsp, once, first; may be missing
  # …           a comment
  --> JSON      sent, as one message or, an array, several at once; {"$file": PATH} in it is the text of that file,
                {"$uri": PATH} its URI, which answers have as file://$SOURCE/PATH
  ==> TEXT      sent as it is, with the escapes of JSON in it
  <-- JSON      the answers, all of them in this order; further lines are indented
  = STATUS …    the exit status at the end of its input, and its standard error

Differences from the file are shown; UPDATE=1 writes the file again."""
import difflib
import glob
import json
import os
import urllib.parse

import client

URI_OF_SOURCE = "file://" + urllib.parse.quote(os.path.realpath(client.SOURCE))
QUIET = 0.4  # seconds after which nothing more is expected, when a talk is recorded


def read(path):
    """The blocks of a talk as [mark, text]; a block continues while lines are indented."""
    blocks = []
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n")[:-1]:
            if line.startswith(" "):
                blocks[-1][1] += "\n" + line
            else:
                mark, _, text = line.partition(" ")
                blocks.append([mark, text])
    return blocks


def filled(value):
    if isinstance(value, dict) and list(value) == ["$file"]:
        with open(os.path.join(client.SOURCE, value["$file"]), encoding="utf-8", newline="") as file:
            return file.read()
    if isinstance(value, dict) and list(value) == ["$uri"]:
        return URI_OF_SOURCE + "/" + urllib.parse.quote(value["$uri"])
    if isinstance(value, dict):
        return {key: filled(one) for key, one in value.items()}
    return [filled(one) for one in value] if isinstance(value, list) else value


def lines_of(value, width=110):
    """JSON in as few lines as are readable."""
    short = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if len(short) <= width or not isinstance(value, (dict, list)) or not value:
        return [short]
    rows = []
    for key, one in sorted(value.items()) if isinstance(value, dict) else [(None, one) for one in value]:
        inner = lines_of(one, width - 2)
        if key is not None:
            inner[0] = json.dumps(key) + ": " + inner[0]
        rows += ["  " + row for row in inner]
        rows[-1] += ","
    rows[-1] = rows[-1][:-1]
    return ["{", *rows, "}"] if isinstance(value, dict) else ["[", *rows, "]"]


def shown(message):
    """A message in the form of a talk, without ptxopt's version."""
    if "serverInfo" in (message.get("result") or {}):
        message["result"]["serverInfo"].pop("version")
    rows = lines_of(message)
    return "\n  ".join(rows).replace(URI_OF_SOURCE, "file://$SOURCE")


def hold(blocks, recording):
    """Sends the blocks; returns the talk as it happened."""
    options = blocks[0][1].split() if blocks[0][0] == "$" else []
    server = client.Server(*options)
    held = []
    for at, (mark, text) in enumerate(blocks):
        if mark in ("<--", "="):
            continue
        held.append([mark, text])
        if mark == "-->":
            message = filled(json.loads(text))
            server.send(*(message if isinstance(message, list) else [message]))
        elif mark == "==>":
            server.write(json.loads('"' + text + '"').encode())
        else:
            continue
        expected = 0
        while at + 1 + expected < len(blocks) and blocks[at + 1 + expected][0] == "<--":
            expected += 1
        while recording or expected:
            message = server.take(QUIET if recording else client.PATIENCE)
            if message is None:
                break
            held.append(["<--", shown(message)])
            expected -= 1
    rest, status, error = server.end()
    held += [["<--", shown(message)] for message in rest]
    held.append(["=", f"{status} {error.strip()}".strip()])
    return held


def text_of(blocks):
    return [line for mark, text in blocks for line in f"{mark} {text}".split("\n")]


def main():
    recording = bool(os.environ.get("UPDATE"))
    for path in sorted(glob.glob(os.path.join(client.SOURCE, "tests", "lsp", "talks", "*.talk"))):
        name = os.path.basename(path)[:-len(".talk")]
        if not client.chosen("talks/" + name):
            continue
        blocks = read(path)
        held = hold(blocks, recording)
        lines = text_of(held)
        if recording:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        changed = list(difflib.unified_diff(text_of(blocks), lines, lineterm="", n=2))[2:]
        client.verdict(name, [] if recording else changed)
