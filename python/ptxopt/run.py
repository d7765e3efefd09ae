"""Optimize a text, and verify that one text is another without redundant synchronisation."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import html
import weakref
from collections.abc import Callable, Iterable
from typing import Any, Literal

from . import _call as call
from . import _library
from .errors import (
    BadInputError,
    CancelledError,
    InternalError,
    LimitError,
    OptionError,
    OutOfMemoryError,
    PtxoptError,
)
from .model import (
    Checked,
    Finding,
    Kind,
    Level,
    Stats,
    Verdict,
    array,
    checked,
    decode,
    encode,
    finding,
    plain,
    report_formats,
)

__all__ = ["Result", "Verification", "lint", "optimize", "verify"]

Style = Literal["blank", "annotate", "squeeze"]
Parse = Literal["shapes", "full", "tree"]
_STYLES = ("blank", "annotate", "squeeze")
_PARSES = ("shapes", "full", "tree")
LintLevel = Literal["error", "warning", "note"]
_LEVELS = {"error": Level.ERROR, "warning": Level.WARNING, "note": Level.NOTE}

# enum ptxopt_status
_OK, _BAD_INPUT, _NO_MEMORY, _CANCELLED = range(4)
_ERRORS: dict[int, type[PtxoptError]] = {
    _BAD_INPUT: BadInputError,
    _NO_MEMORY: OutOfMemoryError,
    _CANCELLED: CancelledError,
}


class Result:
    """The result of `optimize` or `lint` for a text, with the reasons.

    Attributes
    ----------
    name : str
        The name of the text in messages and reports.
    source : bytes
        The input.
    """

    def __init__(self, pointer: int, name: bytes, source: bytes) -> None:
        self.name = decode(name)
        self.source = source
        self._kept = name, source  # the library reads these bytes without a copy
        self._pointer = pointer
        weakref.finalize(self, _library.library().ptxopt_result_free, pointer).atexit = False

    @functools.cached_property
    def output(self) -> bytes:
        """The output, as bytes."""
        return _bytes(_library.library().ptxopt_result_text, self._pointer)

    @functools.cached_property
    def text(self) -> str:
        """The output."""
        return decode(self.output)

    @property
    def changed(self) -> bool:
        """Whether anything was removed."""
        return bool(_library.library().ptxopt_result_changed(self._pointer))

    @functools.cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in order of place."""
        count = ctypes.c_size_t()
        first = _library.library().ptxopt_result_findings(self._pointer, count)
        return array(finding, first, count.value)

    @property
    def deleted(self) -> tuple[Finding, ...]:
        """The findings about removed instructions."""
        return tuple(one for one in self.findings if one.kind is Kind.DELETED)

    @property
    def kept(self) -> tuple[Finding, ...]:
        """The findings about kept candidates, each with its reason."""
        return tuple(one for one in self.findings if one.kind is Kind.KEPT)

    @property
    def hazards(self) -> tuple[Finding, ...]:
        """The findings about hazards, without accepted ones."""
        return tuple(one for one in self.findings if one.kind is Kind.HAZARD)

    @property
    def stats(self) -> Stats:
        """Counts, times and memory."""
        return plain(Stats, _library.library().ptxopt_result_stats(self._pointer).contents)

    @property
    def certificate(self) -> bytes:
        """The certificate for ``ptxopt-verify --certificate``; empty unless it was requested."""
        return _bytes(_library.library().ptxopt_result_certificate, self._pointer)

    def report(self, format: str, path: str | None = None) -> str:
        """The result as a report.

        Parameters
        ----------
        format : str
            One of `report_formats`: ``"text"``, ``"json"``, ``"sarif"``, ``"markdown"``, ``"html"``, ...
        path : str, optional
            The name of the text in the report; default: `name`.

        Returns
        -------
        str
            The report.

        Raises
        ------
        OptionError
            There is no such format.
        OutOfMemoryError
            There is not enough memory.
        """
        length = ctypes.c_size_t()
        memory = _library.library().ptxopt_report(
            self._pointer, encode(format), encode(self.name if path is None else path), length
        )
        if not memory:
            if format not in report_formats():
                raise OptionError(f"there is no report format {format!r}; there are: {', '.join(report_formats())}")
            raise OutOfMemoryError("no memory for the report", code="no-memory")
        try:
            return decode(ctypes.string_at(memory, length.value))
        finally:
            _library.free()(memory)

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("a ptxopt.Result cannot be copied or pickled; take its text, findings or a report")

    def __repr__(self) -> str:
        stats = self.stats
        parts = [f"{len(self.deleted)} removed, {len(self.kept)} kept"] if stats.optimized or not stats.linted else []
        parts += [f"{len(self.hazards)} hazards"] if stats.linted else []
        return f"<ptxopt.Result of {self.name}: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        """The HTML report, for notebooks: in a frame, because it is a complete page with its own style."""
        page = html.escape(self.report("html"), quote=True)
        return f'<iframe sandbox="allow-scripts" style="width: 100%; height: 40em; border: 0" srcdoc="{page}"></iframe>'


class Verification:
    """The verdict of the independent checker on two texts.

    Attributes
    ----------
    verdict : Verdict
        Refused if any function is, otherwise cannot-tell if any is.
    message : str
        The message of the first function that is not proven, or another difference of the texts; ``""`` if proven.
    functions : tuple of Checked
        Every function that lost a statement.
    findings : tuple of Finding
        Warnings about the text before: its version of the PTX ISA is not known.
    certificate : bytes
        The certificate; empty unless it was requested.
    """

    def __init__(
        self,
        verdict: Verdict,
        message: str,
        functions: tuple[Checked, ...],
        findings: tuple[Finding, ...],
        certificate: bytes,
    ) -> None:
        self.verdict = verdict
        self.message = message
        self.functions = functions
        self.findings = findings
        self.certificate = certificate

    def __bool__(self) -> bool:
        """True only if everything is proven."""
        return self.verdict is Verdict.PROVEN

    def __repr__(self) -> str:
        return f"<ptxopt.Verification: {self.verdict.name}{': ' if self.message else ''}{self.message}>"


def optimize(
    text: str | bytes,
    *,
    name: str = "<ptx>",
    isa: str | None = None,
    assume: Iterable[str] = (),
    no_assume: Iterable[str] = (),
    rules: Iterable[str] | None = None,
    only: Iterable[str] = (),
    skip: Iterable[str] = (),
    style: Style = "blank",
    parse: Parse = "shapes",
    certificate: bool = False,
    max_input: int | None = None,
    max_memory: int | None = None,
    threads: int = 1,
    timeout: float | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Result:
    """Remove the tcgen05 fences and waits of a PTX text that are provably redundant.

    Any number of threads may call it: it works without the GIL.

    Parameters
    ----------
    text : str or bytes
        PTX. A text that names neither ``tcgen05`` nor ``.proxy`` is returned unread (see `parse`).
    name : str, optional
        The name of the text in messages and reports.
    isa : str, optional
        ``"MAJOR.MINOR"``, at least 8.6: the PTX ISA whose guarantees hold; default: that of the text. For
        an unknown version only the guarantees of every known version count.
    assume, no_assume : iterable of str, optional
        Assumptions to switch on and off (see `assumptions`).
    rules : iterable of str, optional
        Rules to use (see `ptxopt.rules`); default: all.
    only, skip : iterable of str, optional
        Ids of findings: makes only the edits of `only` (if given), and none of `skip`.
    style : {"blank", "annotate", "squeeze"}, optional
        Keep the line count; leave a comment with the rule, the edit's id and the removed instruction; or
        drop lines that a removal emptied.
    parse : {"shapes", "full", "tree"}, optional
        What must be valid PTX: only the parts that the rules read; the whole text, as ptxas defines it; or the whole
        text, as the grammar defines it, which also accepts fragments and words of later versions.
    certificate : bool, optional
        Write the certificate (`Result.certificate`).
    max_input : int, optional
        Largest accepted text in bytes, up to 2**30; default: 256 MiB.
    max_memory : int, optional
        Largest number of bytes that the call may use, 0 for any; default: 64 MiB and 128 times the text.
    threads : int, optional
        How many threads, up to 64, may work on a large text; the result does not depend on it.
    timeout : float, optional
        Seconds after which the call is cancelled.
    cancelled : callable, optional
        Called every few milliseconds of work, with the GIL, by each of the `threads`; once it returns true, the
        call is cancelled. Its exceptions are raised by the call.

    Returns
    -------
    Result
        The text and the findings. Every removal is proven twice.

    Raises
    ------
    BadInputError
        The text is not PTX; `LimitError` if it needs more than the limits allow.
    OptionError
        libptxopt does not know an argument.
    CancelledError
        The call was cancelled by `cancelled` or `timeout`.
    OutOfMemoryError, InternalError
        The process continues after either.

    Examples
    --------
    >>> import ptxopt
    >>> result = ptxopt.optimize(open("kernel.ptx").read(), name="kernel.ptx")
    >>> [finding.line for finding in result.deleted]
    [11]
    """
    source, named = _source(text), encode(name)
    library = _library.library()
    with call.options(isa, assume, no_assume, max_memory, certificate) as options:
        call.choose(options, rules, only, skip)
        library.ptxopt_options_set_style(options, call.index("style", style, _STYLES))
        library.ptxopt_options_set_parse(options, call.index("parse", parse, _PARSES))
        library.ptxopt_options_set_steps(options, True)
        call.limit(options, threads, max_input)
        with call.cancel(options, timeout, cancelled):
            result = Result(library.ptxopt_run(options, named, source, len(source)), named, source)
    return _checked(result)


def lint(
    text: str | bytes,
    *,
    name: str = "<ptx>",
    isa: str | None = None,
    assume: Iterable[str] = (),
    no_assume: Iterable[str] = (),
    level: LintLevel = "warning",
    accept: Iterable[str] = (),
    fix: bool = False,
    parse: Parse = "shapes",
    max_input: int | None = None,
    max_memory: int | None = None,
    threads: int = 1,
    timeout: float | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Result:
    """Report synchronisation that is missing in a PTX text, or does nothing. Nothing is removed.

    Parameters
    ----------
    text, name, isa, assume, no_assume, parse, max_input, max_memory, threads, timeout, cancelled
        As of `optimize`.
    level : {"error", "warning", "note"}, optional
        The lowest level to report.
    accept : iterable of str, optional
        Ids of accepted findings: they are reported as `Kind.SUPPRESSED`, like the findings that a comment
        ``// ptxopt: ignore[code] reason`` in the text accepts.
    fix : bool, optional
        Insert the correction of a finding, if that is one instruction at one place.

    Returns
    -------
    Result
        Its `hazards` are the findings. With `fix` its `text` has the inserted lines, and each hazard has
        its `insertions`, or in `not_fixed` the reason why there are none.

    Raises
    ------
    BadInputError, OptionError, CancelledError, OutOfMemoryError, InternalError
        As of `optimize`.

    Examples
    --------
    >>> import ptxopt
    >>> ptxopt.lint(open("kernel.ptx").read(), name="kernel.ptx").hazards
    ()
    """
    source, named = _source(text), encode(name)
    library = _library.library()
    if level not in _LEVELS:
        raise OptionError(f"level is {level!r}; there are: {', '.join(_LEVELS)}")
    with call.options(isa, assume, no_assume, max_memory, False) as options:
        call.choose(options, (), (), ())
        library.ptxopt_options_set_lint(options, True)
        call.accept(library.ptxopt_options_set_lint_level(options, _LEVELS[level].value), "level", level)
        library.ptxopt_options_set_fix(options, fix)
        for one in call.words("accept", accept):
            call.accept(library.ptxopt_options_accept(options, encode(one)), "accept", one)
        library.ptxopt_options_set_parse(options, call.index("parse", parse, _PARSES))
        call.limit(options, threads, max_input)
        with call.cancel(options, timeout, cancelled):
            result = Result(library.ptxopt_run(options, named, source, len(source)), named, source)
    return _checked(result)


def verify(
    before: str | bytes,
    after: str | bytes,
    *,
    isa: str | None = None,
    assume: Iterable[str] = (),
    no_assume: Iterable[str] = (),
    certificate: bool = False,
    max_memory: int | None = None,
    timeout: float | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Verification:
    """Ask the independent checker whether a text is another without redundant synchronisation.

    Parameters
    ----------
    before, after : str or bytes
        The two texts; any program may have made the edit.
    isa, assume, no_assume, certificate, max_memory, timeout, cancelled
        As of `optimize`.

    Returns
    -------
    Verification
        True in a condition only if everything is proven; a text that is not PTX is never proven.

    Raises
    ------
    LimitError, OptionError, CancelledError, OutOfMemoryError, InternalError
        As of `optimize`.
    """
    first, second = _source(before), _source(after)
    library = _library.library()
    with contextlib.ExitStack() as stack:
        options = stack.enter_context(call.options(isa, assume, no_assume, max_memory, certificate))
        with call.cancel(options, timeout, cancelled):
            pointer = library.ptxopt_verify(options, first, len(first), second, len(second))
            stack.callback(library.ptxopt_verification_free, pointer)
        status = library.ptxopt_verification_status(pointer)
        message = decode(library.ptxopt_verification_message(pointer))
        if status != _OK:
            raise _failure(status, message, "", ())
        count = ctypes.c_size_t()
        functions = array(checked, library.ptxopt_verification_functions(pointer, count), count.value)
        findings = array(finding, library.ptxopt_verification_findings(pointer, count), count.value)
        return Verification(
            Verdict(library.ptxopt_verification_verdict(pointer)),
            message,
            functions,
            findings,
            _bytes(library.ptxopt_verification_certificate, pointer),
        )


def _bytes(function: Any, pointer: int) -> bytes:
    """The bytes of a function that returns an address and a length."""
    length = ctypes.c_size_t()
    return ctypes.string_at(function(pointer, length), length.value)


def _source(text: str | bytes) -> bytes:
    return encode(text) if isinstance(text, str) else bytes(text)


def _checked(result: Result) -> Result:
    """The result of a call that completed."""
    library = _library.library()
    status = library.ptxopt_result_status(result._pointer)
    if status != _OK:
        raise _failure(status, decode(library.ptxopt_result_message(result._pointer)), result.name, result.findings)
    return result


def _failure(status: int, message: str, name: str, findings: tuple[Finding, ...]) -> PtxoptError:
    """The error of a call that did not complete."""
    first = next((one for one in findings if one.level is Level.ERROR), None)
    code = first.code if first else ""
    kind = _ERRORS.get(status, InternalError)
    if kind is BadInputError and (code.startswith("too-") or not first):
        kind = LimitError
    return kind(
        message,
        code=code,
        file=name,
        line=first.line if first else 0,
        column=first.column if first else 0,
    )
