"""``python -m ptxopt``: commands that set up tools; all other arguments are passed to the program ptxopt."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from .errors import PtxoptError
from .programs import make_shim, program, ptxas_path

USAGE = """\
usage: python -m ptxopt shim DIR [CUDA]       a tree of links to a CUDA installation with our bin/ptxas
       python -m ptxopt ptxas-path [REAL]     a ptxas for TRITON_PTXAS_BLACKWELL_PATH and CUTE_DSL_PTXAS_PATH
       python -m ptxopt [ARGUMENT...]         the program ptxopt (--help: its options)
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ptxopt", usage=USAGE, add_help=False)
    commands = parser.add_subparsers(dest="command")
    shim = commands.add_parser("shim", help="a tree of links with our bin/ptxas")
    shim.add_argument("folder", metavar="DIR", help="the tree to make")
    shim.add_argument("cuda", metavar="CUDA", nargs="?", help="the CUDA installation")
    path = commands.add_parser("ptxas-path", help="a program to run in the place of a ptxas")
    path.add_argument("real", metavar="REAL", nargs="?", help="the ptxas that it runs")
    return parser


def main(arguments: list[str]) -> int:
    """Execute the arguments; returns the exit status, 2 for a command that fails."""
    try:
        if not arguments or arguments[0] not in ("shim", "ptxas-path"):
            os.execv(program("ptxopt"), ["ptxopt", *arguments])
        chosen = _parser().parse_args(arguments)
        if chosen.command == "shim":
            make_shim(chosen.folder, chosen.cuda)
        else:
            print(ptxas_path(chosen.real))
        return 0
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    except (PtxoptError, OSError) as error:
        print(f"python -m ptxopt: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
