"""ptxopt with TileLang, which compiles by nvcc.

Examples
--------
>>> import ptxopt.tilelang
>>> @tilelang.jit(compile_flags=ptxopt.tilelang.compile_flags())
... def kernel(): ...
"""

from __future__ import annotations

from .programs import prefix_path

__all__ = ["compile_flags"]


def compile_flags() -> list[str]:
    """Flags for nvcc that let it run ptxopt before ptxas.

    TileLang has them in the keys of its caches, of kernels and of binaries, and the path in them is another for
    another version of ptxopt and other ``PTXOPT_FLAGS``: set that before.

    Returns
    -------
    list of str
        For ``compile_flags`` of ``tilelang.jit`` and ``tilelang.compile``; TileLang adds them to those of its
        ``pass_configs``.

    Raises
    ------
    LibraryError
        There is no ``ptxopt-ptxas``.
    """
    return [f"--ptxas-prefix={prefix_path()}"]
