"""ptxopt with CuTe DSL, by the patch that FlashAttention-4 and quack bring for a ptxas of one's own.

Examples
--------
>>> import ptxopt.cute
>>> ptxopt.cute.install()  # before flash_attn.cute or quack is imported
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile

from .errors import PtxoptError
from .programs import is_disabled, ptxas_path

__all__ = ["install"]

READERS = ("flash_attn.cute.interface", "quack")
"""The modules that read CUTE_DSL_PTXAS_PATH, when they are imported."""


def install(real: str | os.PathLike[str] | None = None) -> str | None:
    """Let FlashAttention-4 and quack assemble with ptxopt and a ptxas, and not inside CuTe DSL.

    Sets ``CUTE_DSL_PTXAS_PATH``; ``CUTE_DSL_KEEP_PTX=1``, from which they have the PTX; where it is not set,
    ``CUTE_DSL_DUMP_DIR`` to a folder that goes with this process, as they take what they find there by the name of
    a kernel, and leave it; makes the folder that it names, as without it quack takes the first kernel to the assembler
    inside; and switches off their caches on disk (``QUACK_CACHE_ENABLED``,
    ``FLASH_ATTENTION_CUTE_DSL_CACHE_ENABLED``), as these hold what CuTe DSL has assembled itself.

    Parameters
    ----------
    real : path, optional
        As of `ptxopt.ptxas_path`. The ptxas must know the PTX that CuTe DSL writes (4.8 writes 9.4: CUDA 13.4, as
        Triton 3.9 brings); with one that does not, they fall back to the one inside without a word, unless
        ``CUTE_DSL_PTXAS_VERBOSE=1``.

    Returns
    -------
    str or None
        The program that they run. None with ``PTXOPT_DISABLE=1``: then nothing is set.

    Raises
    ------
    PtxoptError
        One of them is imported already, and would not see it.
    OSError
        ``CUTE_DSL_DUMP_DIR`` cannot be made.
    LibraryError
        As of `ptxopt.ptxas_path`.
    """
    if is_disabled():
        return None
    path = ptxas_path(real)
    late = [name for name in READERS if name in sys.modules]
    if late and os.environ.get("CUTE_DSL_PTXAS_PATH") != path:
        raise PtxoptError(f"{late[0]} is imported already; call ptxopt.cute.install() before that")
    os.environ["CUTE_DSL_PTXAS_PATH"] = path
    os.environ["CUTE_DSL_KEEP_PTX"] = "1"
    os.environ["QUACK_CACHE_ENABLED"] = os.environ["FLASH_ATTENTION_CUTE_DSL_CACHE_ENABLED"] = "0"
    chosen = os.environ.get("CUTE_DSL_DUMP_DIR")
    if chosen:
        os.makedirs(chosen, exist_ok=True)
    else:
        folder = tempfile.mkdtemp(prefix="ptxopt-cute-")
        os.environ["CUTE_DSL_DUMP_DIR"] = folder
        atexit.register(_remove, folder, os.getpid())
    return path


def _remove(folder: str, process: int) -> None:
    """A forked child that ends leaves the folder to its parent."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
