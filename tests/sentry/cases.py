"""The kernels of the tree, each with one launch."""

import json
import os
import pathlib
import re

import dress
import flat

SOURCE = pathlib.Path(os.environ["SRCDIR"])
# Folders without texts that can run: refused texts, and bytes.
NOT_ASKED = {"bad", "fuzz", "grammar"}
# Files of many cases, which EXPANDED has as separate texts.
OF_CASES = {"rules", "never", "isa", "pipeline", "mutants", "lint-codes", "bugs"}
# The launch of a completed fragment: one warp.
DRESSED = {"block": [32, 1, 1], "shared": 0}


def launch_by_rule(header, text):
    """A launch for a kernel of which only the text is known.

    It has as many threads as the text says, otherwise four warps; one cluster of its size; 256 for each number of 32 bits;
    and a tensor of bf16, with boxes of 64 by 64, for each parameter that may be a descriptor. Pointers stay symbols. For a
    fragment it is DRESSED.
    """
    if dress.is_fragment(text):
        return DRESSED
    threads = re.search(r"\.(?:req|max)ntid\s+(\d+)(?:,\s*(\d+))?(?:,\s*(\d+))?", header)
    cluster = re.search(r"\.reqnctapercluster\s+(\d+)(?:,\s*(\d+))?(?:,\s*(\d+))?", header)
    size = [int(extent or 1) for extent in (cluster.groups() if cluster else (1, 1, 1))]
    rank = int((re.search(r"bulk\.tensor\.(\d)d", text) or [0, 2])[1])
    tensor = {"type": "bf16", "shape": [4096] * rank, "box": [64, 64, 1, 1, 1][:rank]}
    return {
        "block": [int(extent or 1) for extent in threads.groups()] if threads else [128, 1, 1],
        "grid": size, "cluster": size, "shared": 131072,
        "values": {name: 256 for name in re.findall(r"\.param\s+\.[usb]32\s+([\w$%]+)", header)},
        "tensors": {name: tensor for name in re.findall(r"\.b8\s+([\w$%]+)\[128\]", header)},
    }


def of_the_tree():
    """The name and the content of each text of tests/."""
    expanded = pathlib.Path(os.environ["EXPANDED"])
    for folder, out in (SOURCE / "tests", NOT_ASKED | OF_CASES), (expanded, NOT_ASKED):
        for path in sorted(folder.rglob("*.ptx")):
            inside = path.relative_to(folder)
            if inside.parts[0] not in out:
                yield str(inside), path.read_text(errors="replace")


def of_the_examples():
    """The kernels of examples/, with the launches of examples.json: the smallest in which the loops of all roles run.

    "long" is one on which sentryward works for more than ten minutes.
    """
    for name, launch in json.loads((pathlib.Path(__file__).parent / "examples.json").read_text()).items():
        yield name, (SOURCE / "examples" / name / f"{name}.ptx").read_text(), launch


def flat_kernels(text):
    """The kernels of a text as sentryward reads them, (header, text) by name; none if the text cannot be divided."""
    try:
        return {name: (header, kernel) for name, header, kernel in flat.kernels_of(flat.with_plain_polls(flat.flatten(text)))}
    except (IndexError, AttributeError, re.error):
        return {}
