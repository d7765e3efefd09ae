"""The programs of ptxopt, and a replacement for ptxas in tools that run it."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

from ._library import VERSION
from .errors import LibraryError

__all__ = ["make_shim", "program", "ptxas_path"]


def program(name: str) -> str:
    """The path of ``ptxopt``, ``ptxopt-verify`` or ``ptxopt-ptxas``.

    Parameters
    ----------
    name : str
        The name of the program.

    Returns
    -------
    str
        The path of the one in this package (a wheel), otherwise of the one on PATH.

    Raises
    ------
    LibraryError
        There is none.
    """
    for candidate in _installed(name):
        if os.access(candidate, os.X_OK):
            return str(candidate)
    found = shutil.which(name)
    if found is None:
        raise LibraryError(f"{name} is neither beside this package nor on PATH: install the wheel, or ptxopt itself")
    return os.path.abspath(found)


def _installed(name: str) -> list[Path]:
    """The folders of installed programs: the recorded one, and that of `pip install --target`, which differs."""
    target = Path(__file__).parent.parent / "bin" / name
    try:
        files = importlib.metadata.files("ptxopt") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return [Path(str(one.locate())).resolve() for one in files if one.name == name and one.parent.name == "bin"] + [
        target
    ]


def ptxas_path(real: str | os.PathLike[str] | None = None) -> str:
    """The path of a program that replaces a ptxas: it runs ptxopt and then that ptxas.

    ``TRITON_PTXAS_BLACKWELL_PATH`` and ``CUTE_DSL_PTXAS_PATH`` accept it. It prints the output of the real
    ptxas; ``--version`` has one additional line, with the build of ptxopt and its settings, which is in
    the key of Triton's cache. ``ptxopt-ptxas --help`` lists the environment variables that it reads.

    Parameters
    ----------
    real : path, optional
        The ptxas that it runs; default: the first of ``PTXOPT_REAL_PTXAS``, Triton's ptxas for Blackwell, the
        one on PATH, that of ``CUDA_HOME``.

    Returns
    -------
    str
        A link in the user's cache (``PTXOPT_CACHE_DIR``, otherwise ``ptxopt`` in ``XDG_CACHE_HOME``). Its folder
        differs for each build of ptxopt, each ptxas and each setting (``PTXOPT_FLAGS``, ``PTXOPT_TIMEOUT``,
        ``PTXOPT_SERVER``), and changes once after a fallback whose cause may not recur.

    Raises
    ------
    LibraryError
        There is no ptxas, or no ``ptxopt-ptxas``.
    OSError
        The cache cannot be written to.
    """
    chosen = _real() if real is None else os.path.abspath(real)
    if not os.access(chosen, os.X_OK):
        raise LibraryError(f"{chosen} cannot be run; expected the path of a ptxas")
    name = os.path.basename(chosen)
    return str(_links({name: program("ptxopt-ptxas"), f"{name}.real": chosen}) / name)


def prefix_path() -> str:
    """As `ptxas_path`, for a program that is run with the name of a ptxas as argument (nvcc's ``--ptxas-prefix``)."""
    name = "ptxopt-ptxas"
    return str(_links({name: program(name)}) / name)


def _real() -> str:
    """The ptxas that tools would run without ptxopt."""
    folders = []
    bundle = importlib.util.find_spec("triton")  # does not import it
    if bundle is not None and bundle.origin is not None:
        folders.append(Path(bundle.origin).parent / "backends" / "nvidia" / "bin")
    candidates = [str(folder / name) for folder in folders for name in ("ptxas-blackwell", "ptxas")]
    candidates += [os.path.join(folder, "ptxas") for folder in os.get_exec_path()]
    for root in (os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
        if root:
            candidates.append(os.path.join(root, "bin", "ptxas"))
    chosen = os.environ.get("PTXOPT_REAL_PTXAS")
    for candidate in [chosen] if chosen else candidates:
        if os.access(candidate, os.X_OK) and os.path.basename(os.path.realpath(candidate)) != "ptxopt-ptxas":
            return os.path.abspath(candidate)
    raise LibraryError(
        "there is no ptxas in PTXOPT_REAL_PTXAS, Triton, PATH, CUDA_HOME or /usr/local/cuda; name one: ptxas_path('.../ptxas')"
    )


def is_disabled() -> bool:
    """Whether ``PTXOPT_DISABLE`` requests a build without ptxopt."""
    return os.environ.get("PTXOPT_DISABLE", "0") not in ("", "0")


def key() -> str:
    """What an object depends on besides its text and ptxas, for the key of a cache; "" if ptxopt is disabled.

    The line of ``ptxopt-ptxas --key``: version, build, settings and fallbacks. A text that was not changed because of
    a cause that may not recur (a timeout) changes the key once.
    """
    printed = subprocess.run([program("ptxopt-ptxas"), "--key"], check=True, stdout=subprocess.PIPE)
    return os.fsdecode(printed.stdout).strip()


def add_fallback(text: str) -> None:
    """Record a text that was not changed because of a cause that may not recur: this changes `key`."""
    line = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    with contextlib.suppress(OSError):
        _cache().mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(_cache() / "fallbacks", "a+", encoding="ascii") as list_of_them:
            list_of_them.seek(0)
            if line not in list_of_them.read().split():
                list_of_them.write(f"{line}\n")


def fallbacks() -> str:
    """A digest of what `add_fallback` and ``ptxopt-ptxas`` have recorded; "" for nothing."""
    try:
        return hashlib.sha256((_cache() / "fallbacks").read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def _links(targets: dict[str, str]) -> Path:
    """A folder with these links. Other links and another `key` get another folder, because tools have the path in the
    keys of their caches."""
    folder = cache_folder(repr((sorted(targets.items()), key())))
    for name, target in targets.items():
        with contextlib.suppress(FileExistsError):  # made by an earlier call, with the same target
            os.symlink(target, folder / name)
    return folder


def cache_folder(identity: str) -> Path:
    """A folder in the user's cache for that identity."""
    folder = _cache() / VERSION / hashlib.sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _cache() -> Path:
    own = os.environ.get("PTXOPT_CACHE_DIR")
    if own:
        return Path(own).absolute()
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared and os.path.isabs(shared) else Path.home() / ".cache") / "ptxopt"


def make_shim(folder: str | os.PathLike[str], cuda: str | os.PathLike[str] | None = None) -> None:
    """Make a tree of links to a CUDA installation in which only ``bin/ptxas`` is replaced.

    Parameters
    ----------
    folder : path
        The tree to make.
    cuda : path, optional
        The installation; default: as ``ptxopt-ptxas --make-shim`` finds it.

    Raises
    ------
    LibraryError
        There is no ``ptxopt-ptxas``.
    subprocess.CalledProcessError
        It failed, and printed why.
    """
    where = [os.fspath(folder)] + ([] if cuda is None else [os.fspath(cuda)])
    subprocess.run([program("ptxopt-ptxas"), "--make-shim", *where], check=True)
