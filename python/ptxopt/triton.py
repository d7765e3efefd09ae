"""ptxopt as a part of Triton's compiler: ptxas, the cache and ``asm["ptx"]`` get its output for the PTX.

Examples
--------
>>> import ptxopt.triton
>>> ptxopt.triton.install()  # before the first kernel is compiled
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable
from typing import Any

from ._library import VERSION, library
from .errors import BadInputError, LibraryError, OptionError, PtxoptError
from .programs import add_fallback, fallbacks, is_disabled
from .run import Result, optimize

__all__ = ["install", "uninstall"]

log = logging.getLogger(__name__)

Hook = Callable[..., Any]


def install(
    *,
    isa: str | None = None,
    assume: Iterable[str] = (),
    no_assume: Iterable[str] = (),
    rules: Iterable[str] | None = None,
    timeout: float | None = 60.0,
    on_result: Callable[[Result], None] | None = None,
) -> None:
    """Optimize the PTX of every kernel that Triton compiles for NVIDIA from now on.

    The build of ptxopt and these arguments are in the key of Triton's cache. A hook that is already
    installed is still called, before this one. In a Triton that keeps compiled kernels without asking hooks for
    their part of the key (3.6), kernels that this process has already compiled do not change.
    A text for which ptxopt fails is not changed, with a warning to the logger ``ptxopt.triton``; if the cause may not
    recur (a timeout), the next process has another key, and tries once more. With ``PTXOPT_DISABLE=1`` in the
    environment nothing is installed.

    Parameters
    ----------
    isa, assume, no_assume, rules
        As for `ptxopt.optimize`.
    timeout : float, optional
        Seconds after which a text is passed on unchanged.
    on_result : callable, optional
        Is called with the `ptxopt.Result` of each text, in the thread that compiles it, but not for
        kernels from the cache.

    Raises
    ------
    ImportError
        Triton is not installed, or too old to have hooks; or libptxopt is missing (`ptxopt.LibraryError`).
    OptionError
        libptxopt does not know an argument.
    """
    choice: dict[str, Any] = {
        "isa": isa,
        "assume": _sorted(assume),
        "no_assume": _sorted(no_assume),
        "rules": None if rules is None else _sorted(rules),
    }
    optimize("", **choice)  # reports errors in the arguments now instead of for each kernel
    runtime = _runtime()
    uninstall()
    if is_disabled():
        return
    hook = _Hook(runtime.add_stages_inspection_hook, choice, timeout, on_result)
    runtime.add_stages_inspection_hook = hook
    if not _asks_for_keys():
        _into_backend_hash(hook.key)


def uninstall() -> None:
    """Undo `install`. If another hook was installed after it, both stay."""
    runtime = _runtime()
    hook = runtime.add_stages_inspection_hook
    if not isinstance(hook, _Hook):
        return
    runtime.add_stages_inspection_hook = hook.previous
    backend = _backend()
    if isinstance(backend.hash, _KeyedHash):
        backend.hash = backend.hash.original


class _Hook:
    """``knobs.runtime.add_stages_inspection_hook``: called without arguments, once for each launch, it returns its part
    of the keys of the caches on disk and in memory; otherwise it edits the stages."""

    def __init__(
        self,
        previous: Hook | None,
        choice: dict[str, Any],
        timeout: float | None,
        on_result: Callable[[Result], None] | None,
    ) -> None:
        self.previous = previous
        self.choice = choice
        self.timeout = timeout
        self.on_result = on_result
        build = library().ptxopt_build().decode()
        self.key = f"ptxopt-{VERSION}-{build}-{sorted(choice.items())}-{timeout}-{fallbacks()}"
        self.keys = self.key, hashlib.sha256(self.key.encode()).hexdigest()

    def __call__(self, *arguments: Any) -> tuple[str, str] | None:
        if not arguments:
            if self.previous is None:
                return self.keys
            key, digest = self.previous()
            return f"{key}-{self.keys[0]}", f"{digest}-{self.keys[1]}"
        if self.previous is not None:
            self.previous(*arguments)
        stages = arguments[1]
        if "ptx" in stages:
            stages["ptx"] = self.behind(stages["ptx"])
        return None

    def behind(self, stage: Callable[[Any, dict[str, Any]], str]) -> Callable[[Any, dict[str, Any]], str]:
        """The stage, followed by ptxopt on its result."""

        def ptx(source: Any, metadata: dict[str, Any]) -> str:
            return self.optimized(stage(source, metadata), str(metadata.get("name", "<triton>")))

        return ptx

    def optimized(self, text: str, kernel: str) -> str:
        try:
            result = optimize(text, name=f"{kernel}.ptx", timeout=self.timeout, **self.choice)
        except PtxoptError as error:
            log.warning("%s stays as it is: %s", kernel, error)
            if not isinstance(error, BadInputError):
                add_fallback(text)
            return text
        if self.on_result is not None:
            self.on_result(result)
        return result.text


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    if isinstance(names, str):
        raise OptionError(f"several strings are expected: write ({names!r},)")
    return tuple(sorted(names))


def _runtime() -> Any:
    """Triton's knobs of the runtime."""
    import triton

    try:
        runtime = triton.knobs.runtime
        runtime.add_stages_inspection_hook  # noqa: B018
    except AttributeError:
        raise LibraryError(
            f"Triton {triton.__version__} has no hook for stages (3.5 has): let TRITON_PTXAS_BLACKWELL_PATH be "
            "what `python -m ptxopt ptxas-path` prints"
        ) from None
    return runtime


def _backend() -> Any:
    from triton.backends.nvidia.compiler import CUDABackend

    return CUDABackend


def _asks_for_keys() -> bool:
    """Whether Triton calls the hook without arguments for its part of the key; 3.6 only lets it edit."""
    from triton.compiler import compiler

    return "add_stages_inspection_hook" in compiler.compile.__code__.co_names


class _KeyedHash:
    """``CUDABackend.hash``, which is in every key of the cache, with the key of ptxopt added."""

    def __init__(self, original: Hook, key: str) -> None:
        self.original = original
        self.key = key

    def __get__(self, backend: Any, owner: type[Any]) -> Any:
        return self if backend is None else lambda: f"{self.original(backend)}-{self.key}"


def _into_backend_hash(key: str) -> None:
    backend = _backend()
    backend.hash = _KeyedHash(backend.hash, key)
