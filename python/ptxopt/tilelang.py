"""ptxopt with TileLang, which compiles by nvcc.

Examples
--------
>>> import ptxopt.tilelang
>>> @tilelang.jit(compile_flags=ptxopt.tilelang.compile_flags())
... def kernel(): ...
"""

from __future__ import annotations

from .programs import is_disabled, prefix_path

__all__ = ["compile_flags"]


def compile_flags() -> list[str]:
    """Flags for nvcc that let it run ptxopt before ptxas.

    TileLang has them in the keys of its caches, of kernels and of binaries, and the path in them is another for
    another build of ptxopt, other settings, and once after a fallback that may not happen again: set ``PTXOPT_FLAGS``
    and ``PTXOPT_DISABLE`` before.

    Returns
    -------
    list of str
        For ``compile_flags`` of ``tilelang.jit`` and ``tilelang.compile``; TileLang adds them to those of its
        ``pass_configs``. None with ``PTXOPT_DISABLE=1``.

    Raises
    ------
    LibraryError
        There is no ``ptxopt-ptxas``.
    """
    return [] if is_disabled() else [f"--ptxas-prefix={prefix_path()}"]
