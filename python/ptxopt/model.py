"""What libptxopt says, as dataclasses. Fields are those of ``ptxopt.h``, which has the last word.

Lines and columns are from 1, columns and offsets in bytes of the UTF-8 text. A string that there is
nothing to say in is ``""``.
"""

from __future__ import annotations

import ctypes
import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from . import _library

__all__ = [
    "Assumption",
    "Checked",
    "Decline",
    "Finding",
    "Kind",
    "Level",
    "LintCode",
    "Origin",
    "Reason",
    "Rule",
    "Stats",
    "Step",
    "Verdict",
    "assumptions",
    "lint_codes",
    "reasons",
    "report_formats",
    "rules",
]


class Kind(enum.Enum):
    """What a finding is about."""

    DELETED = 0
    """An instruction that is gone from the output."""
    KEPT = 1
    """A candidate that stays."""
    ADVICE = 2
    """Something that only the author may change."""
    SKIPPED = 3
    """A function that was left as it is, whole."""
    DIAGNOSTIC = 4
    """About the input."""
    HAZARD = 5
    """Synchronisation that is missing, or does nothing (see `lint`)."""
    SUPPRESSED = 6
    """A hazard that a comment in the text, or the caller, accepts."""


class Level(enum.Enum):
    """How bad a finding is: remarks are no trouble, warnings are about us or something suspicious, notes are
    hazards that work as compilers are today."""

    ERROR = 0
    WARNING = 1
    REMARK = 2
    NOTE = 3


class Verdict(enum.Enum):
    """What the checker says."""

    PROVEN = 0
    REFUSED = 1
    CANNOT_TELL = 2


@dataclass(frozen=True)
class Origin:
    """A place in the CUDA source, by ``.file`` and ``.loc``; column 0: not known."""

    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Step:
    """A line that a finding rests on, and the part it has; `origin`: of a hazard's the call site, where that is known."""

    line: int
    part: str
    origin: Origin | None


@dataclass(frozen=True)
class Decline:
    """What one rule says against a removal."""

    rule: str
    reason: str
    witness_line: int


@dataclass(frozen=True)
class Insertion:
    """A line that `lint` with ``fix`` inserts.

    Attributes
    ----------
    at : int
        Offset into the input in bytes, where a line begins; the new one comes before it.
    line : int
        The number of that line in the input.
    text : str
        The new line with its line end.
    """

    at: int
    line: int
    text: str


@dataclass(frozen=True)
class Finding:
    """One thing to say about one place.

    Attributes
    ----------
    kind : Kind
        What it is about.
    level : Level
        How bad it is.
    code : str
        The rule; of `Kind.SKIPPED` and `Kind.DIAGNOSTIC` a stable word.
    id : str
        Of an edit, a candidate or a hazard: 12 hexadecimal digits that survive changes elsewhere in the
        text; `optimize` takes them as `only` and `skip`, `lint` as `accept`.
    reason : str
        Why a candidate stays, a stable word; of what is accepted ``"comment"`` or ``"baseline"``.
    function, text : str
        The function it is in, and the instruction without its guard.
    brief : str
        Why, in a few words; empty where the message is short.
    message : str
        One sentence that names the instructions it rests on.
    isa_section : str
        The section of the PTX ISA that the rule rests on.
    assumptions : tuple of str
        What a removal needs beyond the plain text of the ISA.
    start, end : int
        Offsets into the input in bytes, the end exclusive.
    line, column, end_line, end_column : int
        The same as places.
    origins : tuple of Origin
        Where that is in the CUDA source, innermost first, then the calls it was inlined at.
    witness_line : int
        The instruction that decides it; 0: none, or the entry.
    steps : tuple of Step
        What is ordered, and by what instead; of a hazard the path from its first instruction to its second.
    more_operations : int
        Operations that `steps` leaves out.
    declines : tuple of Decline
        Of a candidate that stays: every rule that was asked, with its last word.
    replacement : str or None
        Of a removal: what stands in place of ``[replaced_start, replaced_end)``; None: it is not replaced.
    replaced_start, replaced_end : int
        The instruction with the blanks around it that would then end a line.
    shift : int
        Of a removal: offsets on later lines, in the output less in the input.
    sentence, risk, fix : str
        Of a hazard: the ISA's words, what could go wrong, what to write.
    justification : str
        Of what a comment suppresses or keeps: what it says for it.
    insertions : tuple of Insertion
        Of a hazard, by `lint` with ``fix``: what mends it. Two hazards may share a line.
    not_fixed : str
        Why nothing does, or "".
    """

    kind: Kind
    level: Level
    code: str
    id: str
    reason: str
    function: str
    text: str
    brief: str
    message: str
    isa_section: str
    assumptions: tuple[str, ...]
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    origins: tuple[Origin, ...]
    witness_line: int
    steps: tuple[Step, ...]
    more_operations: int
    declines: tuple[Decline, ...]
    replacement: str | None
    replaced_start: int
    replaced_end: int
    shift: int
    sentence: str
    risk: str
    fix: str
    justification: str
    insertions: tuple[Insertion, ...]
    not_fixed: str

    @property
    def call_site(self) -> Origin | None:
        """The line of the CUDA source that its author wrote: the outermost of `origins`; None: not known."""
        return next((origin for origin in reversed(self.origins) if origin.file), None)


@dataclass(frozen=True)
class Stats:
    """What a run saw and took; the times are wall clock, `peak_bytes` is the process's largest resident set."""

    input_bytes: int
    output_bytes: int
    peak_bytes: int
    functions: int
    instructions: int
    tcgen05: int
    candidates: int
    deleted: int
    parse_ns: int
    analysis_ns: int
    check_ns: int
    memory_bytes: int
    linted: bool
    optimized: bool
    examined: int
    hidden_warnings: int
    hidden_notes: int


@dataclass(frozen=True)
class Checked:
    """One function that lost at least one statement.

    Attributes
    ----------
    function : str
        Its name.
    verdict : Verdict
        Of its removals.
    message : str
        Where, what, and what was expected; ``""`` when proven.
    path : tuple of int
        Lines of the text before, in the order of execution, that show it; may be empty.
    deletions : int
        How many statements it lost.
    """

    function: str
    verdict: Verdict
    message: str
    path: tuple[int, ...]
    deletions: int


@dataclass(frozen=True)
class Rule:
    """One rewrite rule; `advice`: only ever a remark, never an edit."""

    id: str
    deletes: str
    summary: str
    explanation: str
    isa_section: str
    advice: bool


@dataclass(frozen=True)
class Assumption:
    """One named assumption of the proofs."""

    name: str
    on_by_default: bool
    summary: str
    isa_section: str
    explanation: str


@dataclass(frozen=True)
class Reason:
    """One reason why a candidate, or a whole function, stays."""

    word: str
    summary: str
    explanation: str


@dataclass(frozen=True)
class LintCode:
    """One code of what `lint` looks for."""

    id: str
    summary: str
    explanation: str
    sentence: str
    isa_section: str


Made = TypeVar("Made")


def encode(text: str) -> bytes:
    """Bytes of a text; those that were no UTF-8 when it was decoded are again what they were."""
    return text.encode("utf-8", "surrogateescape")


def decode(raw: bytes) -> str:
    """The text of bytes, whatever they are: `encode` gives them back."""
    return raw.decode("utf-8", "surrogateescape")


def array(make: Callable[[Any], Made], pointer: Any, count: int) -> tuple[Made, ...]:
    """What a C array holds, each made by `make`."""
    return tuple(make(pointer[index]) for index in range(count))


def plain(made: type[Made], raw: Any) -> Made:
    """A dataclass of the strings and numbers of a structure that has the same fields."""
    values = (getattr(raw, name) for name, *_ in raw._fields_)
    return made(*(decode(value) if isinstance(value, bytes) else value for value in values))


def _step(raw: Any) -> Step:
    return Step(raw.line, decode(raw.part), plain(Origin, raw.origin) if raw.origin.line else None)


def finding(raw: Any) -> Finding:
    """A finding of `_library.Finding`."""
    names = decode(raw.assumptions)
    return Finding(
        kind=Kind(raw.kind),
        level=Level(raw.level),
        code=decode(raw.code),
        id=decode(raw.id),
        reason=decode(raw.reason),
        function=decode(raw.function),
        text=decode(raw.text),
        brief=decode(raw.brief),
        message=decode(raw.message),
        isa_section=decode(raw.isa_section),
        assumptions=tuple(names.split(",")) if names else (),
        start=raw.start,
        end=raw.end,
        line=raw.line,
        column=raw.column,
        end_line=raw.end_line,
        end_column=raw.end_column,
        origins=array(lambda one: plain(Origin, one), raw.origins, raw.origin_count),
        witness_line=raw.witness_line,
        steps=array(_step, raw.steps, raw.step_count),
        more_operations=raw.more_operations,
        declines=array(lambda one: plain(Decline, one), raw.declines, raw.decline_count),
        replacement=None if raw.replacement is None else decode(raw.replacement),
        replaced_start=raw.replaced_start,
        replaced_end=raw.replaced_end,
        shift=raw.shift,
        sentence=decode(raw.sentence),
        risk=decode(raw.risk),
        fix=decode(raw.fix),
        justification=decode(raw.justification),
        insertions=array(lambda one: plain(Insertion, one), raw.insertions, raw.insertion_count),
        not_fixed=decode(raw.not_fixed),
    )


def checked(raw: Any) -> Checked:
    """A function's verdict, of `_library.Checked`."""
    return Checked(
        function=decode(raw.function),
        verdict=Verdict(raw.verdict),
        message=decode(raw.message),
        path=tuple(raw.path[: raw.path_count]),
        deletions=raw.deletions,
    )


def _catalog(made: type[Made], function: str) -> tuple[Made, ...]:
    count = ctypes.c_size_t()
    first = getattr(_library.library(), function)(count)
    return array(lambda one: plain(made, one), first, count.value)


def rules() -> tuple[Rule, ...]:
    """The rewrite rules, as ``ptxopt --explain`` tells of them."""
    return _catalog(Rule, "ptxopt_rules")


def assumptions() -> tuple[Assumption, ...]:
    """The assumptions that proofs may need, as ``ptxopt --list-assumptions`` prints them."""
    return _catalog(Assumption, "ptxopt_assumptions")


def reasons() -> tuple[Reason, ...]:
    """The reasons to keep a candidate or a function, as ``ptxopt --explain`` tells of them."""
    return _catalog(Reason, "ptxopt_reasons")


def lint_codes() -> tuple[LintCode, ...]:
    """The codes of what `lint` looks for, as ``ptxopt --explain`` tells of them."""
    return _catalog(LintCode, "ptxopt_lint_codes")


@dataclass(frozen=True)
class _Format:
    name: str
    summary: str


def report_formats() -> dict[str, str]:
    """What `Result.report` can write: the name of each format, and what it is."""
    return {one.name: one.summary for one in _catalog(_Format, "ptxopt_report_formats")}
