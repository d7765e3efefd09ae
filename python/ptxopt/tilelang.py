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

    TileLang has them in the keys of its caches, of kernels and of binaries. The path in them differs for each build of
    ptxopt and each setting, and changes once after a fallback whose cause may not recur: set ``PTXOPT_FLAGS`` and
    ``PTXOPT_DISABLE`` before the call.

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
