"""ptxopt with CuTe DSL, by the patch with which FlashAttention-4 and quack call a ptxas that the user chooses.

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
    """Let FlashAttention-4 and quack assemble with ptxopt and a ptxas instead of the assembler inside CuTe DSL.

    Sets ``CUTE_DSL_PTXAS_PATH`` and ``CUTE_DSL_KEEP_PTX=1``, by which they get the PTX. If ``CUTE_DSL_DUMP_DIR`` is not
    set, sets it to a folder that is removed with this process, because they use any file in it that has the name of
    a kernel, and never remove it. Makes the folder if it does not exist: otherwise quack assembles the first kernel
    inside CuTe DSL. Switches off their caches on disk (``QUACK_CACHE_ENABLED``,
    ``FLASH_ATTENTION_CUTE_DSL_CACHE_ENABLED``), because these have objects that CuTe DSL has assembled itself.

    Parameters
    ----------
    real : path, optional
        As for `ptxopt.ptxas_path`. The ptxas must support the PTX that CuTe DSL writes (4.8 writes 9.4: CUDA 13.4,
        which Triton 3.9 contains); with an older one they silently fall back to the assembler inside, unless
        ``CUTE_DSL_PTXAS_VERBOSE=1``.

    Returns
    -------
    str or None
        The program that they will run. None with ``PTXOPT_DISABLE=1``: then nothing is set.

    Raises
    ------
    PtxoptError
        One of them is already imported, and would not read the settings.
    OSError
        ``CUTE_DSL_DUMP_DIR`` cannot be made.
    LibraryError
        As for `ptxopt.ptxas_path`.
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
    """At the end of a forked child the folder is kept, because it belongs to the parent."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
