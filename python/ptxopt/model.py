"""The results of libptxopt as dataclasses. Fields are those of ``ptxopt.h``, which is authoritative.

Lines and columns are from 1, columns and offsets in bytes of the UTF-8 text. A string without
content is ``""``.
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
    """The kind of a finding."""

    DELETED = 0
    """An instruction that was removed from the output."""
    KEPT = 1
    """A candidate that was kept."""
    ADVICE = 2
    """A change that only the author may make."""
    SKIPPED = 3
    """A function that was not changed at all."""
    DIAGNOSTIC = 4
    """A message about the input."""
    HAZARD = 5
    """Synchronisation that is missing, or does nothing (see `lint`)."""
    SUPPRESSED = 6
    """A hazard that a comment in the text, or the caller, accepts."""


class Level(enum.Enum):
    """The level of a finding: remarks are no problem, warnings are about ptxopt or something suspicious, notes are
    hazards that have no effect with today's compilers."""

    ERROR = 0
    WARNING = 1
    REMARK = 2
    NOTE = 3


class Verdict(enum.Enum):
    """The verdict of the checker."""

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
    """A line on which a finding depends, and its part in it; `origin`: for a hazard the call site, if it is known."""

    line: int
    part: str
    origin: Origin | None


@dataclass(frozen=True)
class Decline:
    """The objection of one rule to a removal."""

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
    """One message about one place.

    Attributes
    ----------
    kind : Kind
        Its kind.
    level : Level
        Its level.
    code : str
        The rule; for `Kind.SKIPPED` and `Kind.DIAGNOSTIC` a stable word.
    id : str
        For an edit, a candidate or a hazard: 12 hexadecimal digits that survive changes elsewhere in the
        text; `optimize` accepts them as `only` and `skip`, `lint` as `accept`.
    reason : str
        Why a candidate is kept, as a stable word; for an accepted hazard ``"comment"`` or ``"baseline"``.
    function, text : str
        The function that contains it, and the instruction with its guard.
    brief : str
        The cause in a few words; empty if the message is short.
    message : str
        One sentence that names the instructions on which it depends.
    isa_section : str
        The section of the PTX ISA on which the rule is based.
    assumptions : tuple of str
        The assumptions of a removal beyond the text of the ISA.
    start, end : int
        Offsets into the input in bytes, the end exclusive.
    line, column, end_line, end_column : int
        The same as line and column.
    origins : tuple of Origin
        The place in the CUDA source first, then the calls at which it was inlined, from the innermost on.
    witness_line : int
        The line of the witness; 0: none, or the entry.
    steps : tuple of Step
        What is ordered, and by which other instruction; for a hazard the path from its first instruction to its second.
    more_operations : int
        The number of operations that `steps` leaves out.
    declines : tuple of Decline
        For a kept candidate: every rule that was asked, with its objection.
    replacement : str or None
        For a removal: the text that replaces ``[replaced_start, replaced_end)``; None: it is not replaced.
    replaced_start, replaced_end : int
        The instruction with the blanks around it that would then end a line.
    shift : int
        For a removal: the offset of a later line in the output minus its offset in the input.
    sentence, risk, fix : str
        For a hazard: the words of the ISA, the possible consequence, and the correction.
    justification : str
        For a finding that a comment suppresses or keeps: the reason in the comment.
    insertions : tuple of Insertion
        For a hazard, from `lint` with ``fix``: the lines that correct it. Two hazards may share a line.
    not_fixed : str
        Why no line corrects it, or "".
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
        """The outermost of `origins`, which is a line of the kernel's own source; None: not known."""
        return next((origin for origin in reversed(self.origins) if origin.file), None)


@dataclass(frozen=True)
class Stats:
    """Counts and costs of a run; the times are wall clock, `peak_bytes` is the process's largest resident set."""

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
        The verdict on its removals.
    message : str
        The place, the difference and the expectation; ``""`` if proven.
    path : tuple of int
        Lines of the text before, in the order of execution, that show the difference; may be empty.
    deletions : int
        The number of statements that it lost.
    """

    function: str
    verdict: Verdict
    message: str
    path: tuple[int, ...]
    deletions: int


@dataclass(frozen=True)
class Rule:
    """One rewrite rule; `advice`: it makes only remarks, never edits."""

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
    """One reason why a candidate, or a whole function, is kept."""

    word: str
    summary: str
    explanation: str


@dataclass(frozen=True)
class LintCode:
    """One code of `lint`."""

    id: str
    summary: str
    explanation: str
    sentence: str
    isa_section: str


Made = TypeVar("Made")


def encode(text: str) -> bytes:
    """The bytes of a text; bytes that were not UTF-8 when it was decoded are restored."""
    return text.encode("utf-8", "surrogateescape")


def decode(raw: bytes) -> str:
    """The text of any bytes: `encode` restores them."""
    return raw.decode("utf-8", "surrogateescape")


def array(make: Callable[[Any], Made], pointer: Any, count: int) -> tuple[Made, ...]:
    """The elements of a C array, each converted by `make`."""
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
    """The rewrite rules, as ``ptxopt --explain`` describes them."""
    return _catalog(Rule, "ptxopt_rules")


def assumptions() -> tuple[Assumption, ...]:
    """The assumptions that proofs may need, as ``ptxopt --list-assumptions`` prints them."""
    return _catalog(Assumption, "ptxopt_assumptions")


def reasons() -> tuple[Reason, ...]:
    """The reasons to keep a candidate or a function, as ``ptxopt --explain`` describes them."""
    return _catalog(Reason, "ptxopt_reasons")


def lint_codes() -> tuple[LintCode, ...]:
    """The codes of `lint`, as ``ptxopt --explain`` describes them."""
    return _catalog(LintCode, "ptxopt_lint_codes")


@dataclass(frozen=True)
class _Format:
    name: str
    summary: str


def report_formats() -> dict[str, str]:
    """The formats of `Result.report`: the name of each, and its description."""
    return {one.name: one.summary for one in _catalog(_Format, "ptxopt_report_formats")}
