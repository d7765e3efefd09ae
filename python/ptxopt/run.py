"""Optimize a text, and verify that one text is another less redundant synchronisation."""

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
    """What `optimize` made of a text, or `lint` found in it, and why.

    Attributes
    ----------
    name : str
        What the text is called in messages and reports.
    source : bytes
        What was read.
    """

    def __init__(self, pointer: int, name: bytes, source: bytes) -> None:
        self.name = decode(name)
        self.source = source
        self._kept = name, source  # the library reads them where they are
        self._pointer = pointer
        weakref.finalize(self, _library.library().ptxopt_result_free, pointer).atexit = False

    @functools.cached_property
    def output(self) -> bytes:
        """What came out of it, as bytes."""
        return _bytes(_library.library().ptxopt_result_text, self._pointer)

    @functools.cached_property
    def text(self) -> str:
        """What came out of it."""
        return decode(self.output)

    @property
    def changed(self) -> bool:
        """Whether anything was removed."""
        return bool(_library.library().ptxopt_result_changed(self._pointer))

    @functools.cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All there is to say, in order of place."""
        count = ctypes.c_size_t()
        first = _library.library().ptxopt_result_findings(self._pointer, count)
        return array(finding, first, count.value)

    @property
    def deleted(self) -> tuple[Finding, ...]:
        """Of the findings what is gone."""
        return tuple(one for one in self.findings if one.kind is Kind.DELETED)

    @property
    def kept(self) -> tuple[Finding, ...]:
        """Of the findings the candidates that stay, each with its reason."""
        return tuple(one for one in self.findings if one.kind is Kind.KEPT)

    @property
    def hazards(self) -> tuple[Finding, ...]:
        """Of the findings what is missing, or does nothing; those that somebody accepted are not among them."""
        return tuple(one for one in self.findings if one.kind is Kind.HAZARD)

    @property
    def stats(self) -> Stats:
        """Counts, times and memory."""
        return plain(Stats, _library.library().ptxopt_result_stats(self._pointer).contents)

    @property
    def certificate(self) -> bytes:
        """The proof that ``ptxopt-verify --certificate`` takes; empty unless it was asked for."""
        return _bytes(_library.library().ptxopt_result_certificate, self._pointer)

    def report(self, format: str, path: str | None = None) -> str:
        """The result as a report.

        Parameters
        ----------
        format : str
            One of `report_formats`: ``"text"``, ``"json"``, ``"sarif"``, ``"markdown"``, ``"html"``, ...
        path : str, optional
            What the report calls the text; default: `name`.

        Returns
        -------
        str
            The report.

        Raises
        ------
        OptionError
            There is no such format.
        OutOfMemoryError
            There is no memory for it.
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
        """The HTML report, for notebooks: in a frame of its own, as it is a whole page with its own style."""
        page = html.escape(self.report("html"), quote=True)
        return f'<iframe sandbox="allow-scripts" style="width: 100%; height: 40em; border: 0" srcdoc="{page}"></iframe>'


class Verification:
    """What the independent checker says of two texts.

    Attributes
    ----------
    verdict : Verdict
        Refused if any function is, else cannot-tell if any is.
    message : str
        Of the first function that is not proven, or what else the texts differ in; ``""`` when proven.
    functions : tuple of Checked
        Every function that lost a statement.
    findings : tuple of Finding
        Warnings about the text before: its version of the PTX ISA is not known.
    certificate : bytes
        The proof; empty unless it was asked for.
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
        """True only when all is proven."""
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

    Any number of threads may call it: the work is done without the GIL.

    Parameters
    ----------
    text : str or bytes
        PTX. One that names neither ``tcgen05`` nor ``.proxy`` is passed on unread (see `parse`).
    name : str, optional
        What messages and reports call it.
    isa : str, optional
        ``"MAJOR.MINOR"``, at least 8.6: the PTX ISA whose guarantees hold; default: the text's own. Of
        one that is not known what every known one grants counts.
    assume, no_assume : iterable of str, optional
        Assumptions to switch on and off (see `assumptions`).
    rules : iterable of str, optional
        Rules to use (see `ptxopt.rules`); default: all.
    only, skip : iterable of str, optional
        Ids of findings: makes no other edits than `only` (if there are any), and none of `skip`.
    style : {"blank", "annotate", "squeeze"}, optional
        Keep the line count, leave a comment with the rule, the edit's id and what was there, or
        drop lines that a removal emptied.
    parse : {"shapes", "full", "tree"}, optional
        Whether just what the rules look at must be PTX, all of the text as ptxas has it, or all
        as the grammar has it, which takes fragments and words of versions to come, too.
    certificate : bool, optional
        Write down the proof (`Result.certificate`).
    max_input : int, optional
        Largest accepted text in bytes, up to 2**30; default: 256 MiB.
    max_memory : int, optional
        Most bytes that the call may have in use, 0 for any; default: 64 MiB and 128 times the text.
    threads : int, optional
        How many threads, up to 64, may work on a large text; what comes of it is the same.
    timeout : float, optional
        Seconds after which it is given up.
    cancelled : callable, optional
        Asked every few milliseconds of work, with the GIL, by each of the `threads`; once it is true the call
        is given up. What it raises, the call raises.

    Returns
    -------
    Result
        The text and the findings. Every removal is proven twice.

    Raises
    ------
    BadInputError
        The text is not PTX; `LimitError` when it needs more than it may.
    OptionError
        An argument is not known to libptxopt.
    CancelledError
        By `cancelled` or `timeout`.
    OutOfMemoryError, InternalError
        Neither ends the process.

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
    """Look for synchronisation that is missing in a PTX text, or does nothing. Nothing is removed.

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
        Insert what mends a finding, where that is one instruction at one place.

    Returns
    -------
    Result
        Its `hazards` are what was found. With `fix` its `text` has the inserted lines, and each of the
        hazards its `insertions`, or in `not_fixed` why there are none.

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
    """Ask the independent checker whether a text is another less redundant synchronisation.

    Parameters
    ----------
    before, after : str or bytes
        The two texts, whoever made the edit.
    isa, assume, no_assume, certificate, max_memory, timeout, cancelled
        As of `optimize`.

    Returns
    -------
    Verification
        True in a condition only when all is proven, which a text that is not PTX never is.

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
    """Of a function that gives an address and a length."""
    length = ctypes.c_size_t()
    return ctypes.string_at(function(pointer, length), length.value)


def _source(text: str | bytes) -> bytes:
    return encode(text) if isinstance(text, str) else bytes(text)


def _checked(result: Result) -> Result:
    """The same, of a call that came to its end."""
    library = _library.library()
    status = library.ptxopt_result_status(result._pointer)
    if status != _OK:
        raise _failure(status, decode(library.ptxopt_result_message(result._pointer)), result.name, result.findings)
    return result


def _failure(status: int, message: str, name: str, findings: tuple[Finding, ...]) -> PtxoptError:
    """The error of a call that did not come to its end."""
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
