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
    """The text of an example, and what it must become."""
    folder = EXAMPLES / name
    return (folder / f"{name}.ptx").read_text(), (folder / f"{name}.expected.ptx").read_text()


def examples():
    return sorted(file.parent.name for file in EXAMPLES.glob("*/*.expected.ptx"))


def large(copies):
    """Many kernels in one text."""
    head, _, body = example("generated-style")[0].partition(".visible .entry ")
    name = body.split("(")[0]
    return head + "".join(".visible .entry " + body.replace(name, f"{name}_{i}") for i in range(copies))
