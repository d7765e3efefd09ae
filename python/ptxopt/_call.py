"""The arguments of a call of libptxopt: options, from values that are checked here, and its cancellation."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator

from . import _library
from .errors import OptionError, OutOfMemoryError
from .model import encode


def index(what: str, value: str, values: tuple[str, ...]) -> int:
    if value not in values:
        raise OptionError(f"{what} is {value!r}; there are: {', '.join(values)}")
    return values.index(value)


def accept(accepted: bool, what: str, value: object) -> None:
    if not accepted:
        raise OptionError(f"libptxopt does not know {value!r} as {what}")


def number(what: str, value: int, bits: int) -> int:
    """Checks that an integer fits the C type: ctypes would drop surplus bits."""
    accept(0 <= value < 2**bits, what, value)
    return value


def words(what: str, values: Iterable[str]) -> tuple[str, ...]:
    """The strings of an argument; a single string is an error, because it would be read letter by letter."""
    if isinstance(values, str):
        raise OptionError(f"{what} takes several strings: write {what}=({values!r},)")
    return tuple(values)


@contextlib.contextmanager
def options(
    isa: str | None,
    assume: Iterable[str],
    no_assume: Iterable[str],
    max_memory: int | None,
    certificate: bool,
) -> Iterator[int]:
    """Options of the library that both calls use."""
    library = _library.library()
    options = library.ptxopt_options_new()
    if not options:
        raise OutOfMemoryError("no memory for options", code="no-memory")
    try:
        if isa is not None:
            accept(library.ptxopt_options_set_isa(options, encode(isa)), "isa", isa)
        for what, names, on in (("assume", assume, True), ("no_assume", no_assume, False)):
            for one in words(what, names):
                accept(library.ptxopt_options_assume(options, encode(one), on), what, one)
        if max_memory is not None:
            library.ptxopt_options_set_max_memory(options, number("max_memory", max_memory, 64))
        library.ptxopt_options_set_certificate(options, certificate)
        yield options
    finally:
        library.ptxopt_options_free(options)


def choose(options: int, rules: Iterable[str] | None, only: Iterable[str], skip: Iterable[str]) -> None:
    """Which edits are allowed."""
    library = _library.library()
    if rules is not None:
        names = ",".join(words("rules", rules)) or "none"
        accept(library.ptxopt_options_set_rules(options, encode(names)), "rules", names)
    for one in words("only", only):
        accept(library.ptxopt_options_only(options, encode(one)), "only", one)
    for one in words("skip", skip):
        accept(library.ptxopt_options_skip(options, encode(one)), "skip", one)


def limit(options: int, threads: int, max_input: int | None) -> None:
    """The resources that a call may use."""
    library = _library.library()
    accept(library.ptxopt_options_set_threads(options, number("threads", threads, 32)), "threads", threads)
    if max_input is not None:
        accept(
            library.ptxopt_options_set_max_input(options, number("max_input", max_input, 64)), "max_input", max_input
        )


@contextlib.contextmanager
def cancel(options: int, timeout: float | None, cancelled: Callable[[], bool] | None) -> Iterator[None]:
    """Lets a call be cancelled. An exception of `cancelled` is raised here, because none may pass through C."""
    if timeout is None and cancelled is None:
        yield
        return
    end = None if timeout is None else time.monotonic() + timeout
    raised: list[BaseException] = []

    def ask(_: object) -> bool:
        try:
            return (end is not None and time.monotonic() >= end) or (cancelled is not None and bool(cancelled()))
        except BaseException as error:
            raised.append(error)
            return True

    callback = _library.Cancelled(ask)  # must exist as long as the call runs
    _library.library().ptxopt_options_set_cancel(options, callback, None)
    yield
    if raised:
        raise raised[0]
