"""Texts for the tests: the examples, and kernels made up here."""

import os
import pathlib

SOURCE = pathlib.Path(os.environ["SRCDIR"])
EXAMPLES = SOURCE / "examples"

WAIT = "\ttcgen05.wait::ld.sync.aligned;\n"

# The second wait is redundant.
TWO_WAITS = (
    ".version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry kernel(.param .u64 out)\n{\n"
    "\t.reg .b32 %r<3>;\n\t.reg .b64 %rd<2>;\n\tld.param.u64 %rd1, [out];\n"
    "\ttcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];\n"
    + WAIT
    + WAIT
    + "\tst.global.b32 [%rd1], %r2;\n\tret;\n}\n"
)

# The wait is not for what is pending.
WRONG_WAIT = TWO_WAITS.replace(WAIT + WAIT, WAIT.replace("wait::ld", "wait::st"))


def example(name):
    """The text of an example, and its expected output."""
    folder = EXAMPLES / name
    text = (folder / f"{name}.ptx").read_text()
    return text, patched(text, (folder / f"{name}.expected.diff").read_text())


def patched(text, diff):
    """The text with the changes of a diff -u."""
    lines, out, at = text.splitlines(keepends=True), [], 0
    for line in diff.splitlines(keepends=True)[2:]:
        if line.startswith("@@"):
            start = int(line.split()[1].lstrip("-").split(",")[0]) - 1
            out += lines[at:start]
            at = start
        else:
            if line[0] != "-":
                out.append(line[1:])
            if line[0] != "+":
                at += 1
    return "".join(out + lines[at:])


def examples():
    return sorted(file.parent.name for file in EXAMPLES.glob("*/*.expected.diff"))


def large(copies):
    """Many kernels in one text."""
    head, _, body = example("generated-style")[0].partition(".visible .entry ")
    name = body.split("(")[0]
    return head + "".join(".visible .entry " + body.replace(name, f"{name}_{i}") for i in range(copies))
