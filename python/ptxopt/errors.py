"""The errors of this package, each with its own type."""

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
        The error in one line.
    code : str
        A stable word: ``"syntax"``, ``"too-much-memory"``, ``"cancelled"``, ...; ``""`` for none.
    file : str
        The name of the text; ``""`` if the error is not about a text.
    line, column : int
        The place in the text, from 1, the column in bytes; 0 if there is none.
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
    """`cancelled` returned true, or `timeout` was exceeded."""


class InternalError(PtxoptError, RuntimeError):
    """ptxopt has a bug; report the message."""


class OptionError(PtxoptError, ValueError):
    """An argument has a value that libptxopt does not know."""


class LibraryError(PtxoptError, ImportError):
    """libptxopt, or a program of ptxopt, is missing or of another version."""
