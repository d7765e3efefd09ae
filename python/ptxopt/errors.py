"""What can go wrong, each with a type of its own."""

from __future__ import annotations

__all__ = [
    "BadInputError",
    "CancelledError",
    "InternalError",
    "LibraryError",
    "LimitError",
    "OptionError",
    "OutOfMemoryError",
    "PtxoptError",
]


class PtxoptError(Exception):
    """Base of all errors of this package.

    Parameters
    ----------
    message : str
        What is wrong, in one line.
    code : str
        A stable word for it: ``"syntax"``, ``"too-much-memory"``, ``"cancelled"``, ...; ``""`` for none.
    file : str
        What the text was called; ``""`` when it is not about a text.
    line, column : int
        The place in the text, from 1, the column in bytes; 0 when there is none.
    """

    def __init__(self, message: str, *, code: str = "", file: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        """``file:line:column: error: message [code]``, as the program prints it."""
        place = f"{self.file}:" if self.file else ""
        if self.line:
            place += f"{self.line}:{self.column}:"
        return (f"{place} error: " if place else "") + self.message + (f" [{self.code}]" if self.code else "")


class BadInputError(PtxoptError, ValueError):
    """The text is not PTX."""


class LimitError(BadInputError):
    """The text needs more than `max_input` or `max_memory` allows."""


class OutOfMemoryError(PtxoptError, MemoryError):
    """The system has no more memory."""


class CancelledError(PtxoptError):
    """`cancelled` said so, or `timeout` went by."""


class InternalError(PtxoptError, RuntimeError):
    """ptxopt is wrong; the message is what to report."""


class OptionError(PtxoptError, ValueError):
    """An argument has a value that libptxopt does not know."""


class LibraryError(PtxoptError, ImportError):
    """libptxopt, or a program of ptxopt, is missing or of another version."""
