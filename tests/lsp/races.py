"""A newer text, or a cancellation, at any moment of the work on a large one: the last message is about the last text, no
answer is lost, and abandoned work is not reported."""
import os
import re
import time

import client

URI = "file:///k.ptx"
NAMED = {"uri": URI}
COPIES, TRIALS = 12, 12


def large():
    """A text that needs a long time."""
    with open(os.path.join(client.SOURCE, "examples/attention/attention.ptx"), encoding="utf-8") as file:
        text = file.read()
    at = text.index(".visible .entry")
    name = re.search(r"\.entry (\w+)", text[at:]).group(1)
    return text[:at] + "".join(text[at:].replace(name, f"{name}_{copy}") for copy in range(COPIES))


def begun(text):
    server = client.Server()
    server.send({"id": 1, "method": "initialize", "params": {"capabilities": {}}})
    server.take()
    server.send({"method": "textDocument/didOpen", "params": {"textDocument": {**NAMED, "version": 1, "text": text}}})
    return server


def ended(server):
    server.send({"id": 9, "method": "shutdown"}, {"method": "exit"})
    return server.end()


def seconds_of(text):
    """The time from opening to the diagnostics."""
    start = time.monotonic()
    server = begun(text)
    server.take()
    ended(server)
    return time.monotonic() - start


def newer(text, delay):
    """The versions that were judged."""
    server = begun(text)
    time.sleep(delay)
    server.send({"method": "textDocument/didChange", "params": {
        "textDocument": {**NAMED, "version": 2}, "contentChanges": [{"text": "// tcgen05\n"}]}})
    judged = [server.take()["params"]["version"]]
    if judged == [1]:
        judged.append(server.take()["params"]["version"])
    rest, status, error = ended(server)
    judged += [message["params"]["version"] for message in rest if "params" in message]
    return [] if judged in ([2], [1, 2]) and (status, error) == (0, "") else [f"{delay}: {judged}, status {status} {error}"]


def cancelled(text, delay):
    server = begun(text)
    server.send({"id": 2, "method": "textDocument/hover", "params": {"textDocument": NAMED, "position": {"line": 0, "character": 0}}})
    time.sleep(delay)
    server.send({"method": "$/cancelRequest", "params": {"id": 2}})
    rest, status, error = ended(server)
    answers = [message for message in rest if message.get("id") == 2]
    good = len(answers) == 1 and ("result" in answers[0] or answers[0]["error"]["code"] == -32800)
    return [] if good and (status, error) == (0, "") else [f"{delay}: {answers}, status {status} {error}"]


def main():
    if not client.chosen("races"):
        return
    text = large()
    whole = seconds_of(text)
    for name, trial in (("a newer text", newer), ("a cancellation", cancelled)):
        problems = [problem for n in range(TRIALS) for problem in trial(text, whole * n / (TRIALS - 1))]
        client.verdict(f"{name} at {TRIALS} moments of a run", problems)
