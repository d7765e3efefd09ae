"""The verdict of sentryward on a kernel, and the output of ptxopt for a text."""

import collections
import json
import os
import pathlib
import shlex
import subprocess
import tempfile

PTXOPT = os.environ["PTXOPT"]
SENTRYWARD = shlex.split(os.environ["SENTRYWARD"])
# The time limit of one question, in seconds. It decides no question: a missing answer is counted separately.
PATIENCE = int(os.environ.get("SENTRY_PATIENCE", "60"))
ELEMENT_BYTES = {"u8": 1, "bf16": 2}
# With these verdicts sentryward has analysed the whole launch. Every other verdict is no answer.
ANSWERS = ("race_free", "potential_race", "invalid_lifecycle", "not_wellsynced")
LIMITS = ("timeout", "memory_budget_exceeded", "analysis_budget_exceeded", "allocation_failed")

scratch = tempfile.TemporaryDirectory()

Verdict = collections.namedtuple("Verdict", "result code message")
# What ptxopt removes or keeps: its kind, the bytes [start, end) of the input, and the reason if it is kept.
Edit = collections.namedtuple("Edit", "id function rule reason line start end text")
# A launch has "block" in threads, "grid" in CTAs and "cluster" (1 if missing), "shared" in bytes, and for each parameter
# "values" and "tensors": element "type", "shape" and "box", innermost dimension first.


def parameter_types(header):
    """The kernel's scalar parameters, by name: all but pointers and bytes."""
    types = {}
    for parameter in header.partition("(")[2].partition(")")[0].split(","):
        words = parameter.split()
        if ".ptr" not in words and "[" not in parameter and len(words) > 2 and words[0] == ".param":
            types[words[-1]] = words[1].lstrip(".")
    return types


def question(name, header, launch):
    """sentryward's input for one launch."""
    types = parameter_types(header)
    return {
        "schema": "spverify.kernel-input/v1",
        "entry": name,
        "launch": {
            "grid_dim": launch.get("grid", [1, 1, 1]),
            "block_dim": launch["block"],
            "cluster_dim": launch.get("cluster", [1, 1, 1]),
            "dynamic_shared_bytes": launch["shared"],
        },
        "arguments": [{"parameter": parameter, "type": types[parameter], "value": value}
                      for parameter, value in launch.get("values", {}).items()],
        "tma_descriptors": [tensor_map(parameter, tensor) for parameter, tensor in launch.get("tensors", {}).items()],
    }


def tensor_map(parameter, tensor):
    strides, size = [], ELEMENT_BYTES[tensor["type"]]
    for extent in tensor["shape"][:-1]:
        size *= extent
        strides.append(size)
    return {
        "parameter": parameter, "object": parameter, "rank": len(tensor["shape"]), "element_type": tensor["type"],
        "global_shape": tensor["shape"], "global_strides_bytes": strides, "box_shape": tensor["box"],
        "element_strides": [1] * len(tensor["shape"]), "swizzle": "128B", "interleave": "none", "oob_fill": "zero",
    }


def ask(text, asked, patience=PATIENCE):
    """The verdict of sentryward on the one kernel that the input "asked" names."""
    with tempfile.TemporaryDirectory(dir=scratch.name) as folder:
        ptx, config = pathlib.Path(folder, "kernel.ptx"), pathlib.Path(folder, "input.json")
        ptx.write_text(text)
        config.write_text(json.dumps(asked))
        done = subprocess.run([*SENTRYWARD, str(ptx), "--input", str(config), "--timeout", str(patience)],
                              capture_output=True, text=True)
        try:
            report = json.loads(done.stdout)
            first = (report["diagnostics"] or [{}])[0]
        except (ValueError, KeyError, TypeError):
            return Verdict("crash", "no_report", (done.stderr or done.stdout).strip()[-200:])
        line = (first.get("details") or {}).get("ptx_line") or ((first.get("details") or {}).get("location") or {}).get("line")
        return Verdict(report["result"], first.get("code", ""), str(first.get("message", "")) + (f" (line {line})" if line else ""))


def optimize(text, *options):
    """ptxopt's output, its edits and what it kept. None if it refuses the text."""
    with tempfile.TemporaryDirectory(dir=scratch.name) as folder:
        source, output, report = (pathlib.Path(folder, name) for name in ("in.ptx", "out.ptx", "report.json"))
        source.write_text(text)
        done = subprocess.run([PTXOPT, "-q", *options, str(source), "-o", str(output), f"--report=json={report}"],
                              capture_output=True, text=True)
        if done.returncode:
            return None
        items = [item for file in json.loads(report.read_text())["files"] for item in file["items"]]
        found = {kind: [Edit(item["id"], item["function"], item["rule"], item.get("reason", ""), item["line"], item["location"]["start"],
                             item["location"]["end"], item["text"]) for item in items if item["type"] == kind]
                 for kind in ("edit", "kept")}
        return output.read_text(), found["edit"], found["kept"]
