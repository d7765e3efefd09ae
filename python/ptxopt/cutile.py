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
    """Let the tileiras of ``cuda.tile`` assemble with ptxopt and the ptxas beside it.

    Replaces tileiras by a script. The script sets ``CUDA_HOME``, by which tileiras finds ptxas, to a tree of links in
    which only ``bin/ptxas`` is replaced. With ``--version``, whose output is in the keys of cuTile's cache, it also
    prints the line of ``ptxopt-ptxas --key``: so another build of ptxopt or other settings miss the cache, and so does
    every kernel once after a fallback whose cause may not recur.

    Returns
    -------
    str or None
        The script. None with ``PTXOPT_DISABLE=1``: then nothing is changed.

    Raises
    ------
    ImportError
        There is no ``cuda.tile``.
    LibraryError
        ``cuda.tile`` has no tileiras, has already read its version, or is of a version that finds it in another way
        (1.7 is supported); or there is no ``ptxopt-ptxas``.
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
    """The script that replaces that tileiras, in a separate folder for each `key`."""
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
