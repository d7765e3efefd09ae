"""ptxopt with cuTile (``cuda.tile``), whose compiler tileiras runs ptxas.

Examples
--------
>>> import ptxopt.cutile
>>> ptxopt.cutile.install()  # before the first kernel is compiled
"""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

from .errors import LibraryError
from .programs import cache_folder, is_disabled, key, program

__all__ = ["install"]

SCRIPT = "tileiras-ptxopt"


def install() -> str | None:
    """Let tileiras, as ``cuda.tile`` finds it, assemble with ptxopt and the ptxas beside it.

    Puts a script in the place of tileiras. It sets ``CUDA_HOME``, by which tileiras finds ptxas, to a tree of links in
    which only ``bin/ptxas`` is ours, and prints with ``--version``, which cuTile has in the keys of its cache, the line
    of ``ptxopt-ptxas --key``: another build of ptxopt and other settings miss, and so does all once after a fallback
    that may not happen again.

    Returns
    -------
    str or None
        The script. None with ``PTXOPT_DISABLE=1``: then nothing is changed.

    Raises
    ------
    ImportError
        There is no ``cuda.tile``.
    LibraryError
        It has no tileiras, has asked it for its version already, or is of a version that finds it in another way (1.7
        is known); or there is no ``ptxopt-ptxas``.
    """
    if is_disabled():
        return None
    from cuda.tile import _compile

    try:
        binary = _compile._find_compiler_bin()
        asked = _compile._get_compiler_version_string.cache_info().currsize
        installed = Path(binary.path)
    except FileNotFoundError as error:
        raise LibraryError(f"cuda.tile has no tileiras: {error}") from error
    except AttributeError as error:
        raise LibraryError(f"this cuda.tile is not known, 1.7 is: {error}") from error
    if installed.name == SCRIPT:  # of an earlier call
        installed = installed.with_name("tileiras")
    script = _script(installed.resolve())
    if asked and binary.path != script:
        raise LibraryError("cuda.tile has compiled already; call ptxopt.cutile.install() before that")
    binary.path = script
    return script


def _script(tileiras: Path) -> str:
    """What is called in the place of that tileiras, in a folder of its own for each `key`."""
    line = key()
    tree = cache_folder(f"{tileiras} {line}") / "cutile"
    subprocess.run(
        [program("ptxopt-ptxas"), "--make-shim", str(tree), str(tileiras.parent.parent)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    real = shlex.quote(str(tileiras))
    script = tree / "bin" / SCRIPT
    ours = script.with_name(f"{SCRIPT}.{os.getpid()}")
    ours.write_text(
        f"#!/bin/sh\nCUDA_HOME={shlex.quote(str(tree))}\nexport CUDA_HOME\n"
        f'[ "$1" = --version ] || exec {real} "$@"\n{real} "$@" && printf "%s\\n" {shlex.quote(line)}\n'
    )
    ours.chmod(0o755)
    ours.replace(script)
    return str(script)
