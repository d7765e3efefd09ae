"""libptxopt for ctypes: its file, its structures and its functions.

The declarations repeat ``src/api/ptxopt.h``; ``tests/python/test_layout.py`` compares them with those
that a C compiler reads in that header.
"""

from __future__ import annotations

import ctypes
import functools
import os
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_int,
    c_int32,
    c_size_t,
    c_uint,
    c_uint32,
    c_uint64,
    c_void_p,
)
from pathlib import Path
from typing import Any

from .errors import LibraryError

VERSION = "0.1.0"
"""The version of this package, and the only version of libptxopt whose structures are declared here."""

SONAME = "libptxopt.so.1"


class Rule(Structure):
    _fields_ = [
        ("id", c_char_p),
        ("deletes", c_char_p),
        ("summary", c_char_p),
        ("explanation", c_char_p),
        ("isa_section", c_char_p),
        ("advice", c_bool),
    ]


class Assumption(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("on_by_default", c_bool),
        ("summary", c_char_p),
        ("isa_section", c_char_p),
        ("explanation", c_char_p),
    ]


class Reason(Structure):
    _fields_ = [("word", c_char_p), ("summary", c_char_p), ("explanation", c_char_p)]


class LintCode(Structure):
    _fields_ = [
        ("id", c_char_p),
        ("summary", c_char_p),
        ("explanation", c_char_p),
        ("sentence", c_char_p),
        ("isa_section", c_char_p),
    ]


class Origin(Structure):
    _fields_ = [("file", c_char_p), ("line", c_uint32), ("column", c_uint32)]


class Step(Structure):
    _fields_ = [("line", c_uint32), ("part", c_char_p), ("origin", Origin)]


class Decline(Structure):
    _fields_ = [("rule", c_char_p), ("reason", c_char_p), ("witness_line", c_uint32)]


class Estimate(Structure):
    _fields_ = [("before", c_uint32), ("after", c_uint32)]


class Insertion(Structure):
    _fields_ = [("at", c_uint32), ("line", c_uint32), ("text", c_char_p)]


class Finding(Structure):
    _fields_ = [
        ("kind", c_int),
        ("level", c_int),
        ("code", c_char_p),
        ("id", c_char_p),
        ("reason", c_char_p),
        ("function", c_char_p),
        ("text", c_char_p),
        ("brief", c_char_p),
        ("message", c_char_p),
        ("isa_section", c_char_p),
        ("assumptions", c_char_p),
        ("start", c_uint32),
        ("end", c_uint32),
        ("line", c_uint32),
        ("column", c_uint32),
        ("end_line", c_uint32),
        ("end_column", c_uint32),
        ("origins", POINTER(Origin)),
        ("origin_count", c_uint32),
        ("witness_line", c_uint32),
        ("steps", POINTER(Step)),
        ("step_count", c_uint32),
        ("more_operations", c_uint32),
        ("declines", POINTER(Decline)),
        ("decline_count", c_uint32),
        ("replacement", c_char_p),
        ("replaced_start", c_uint32),
        ("replaced_end", c_uint32),
        ("shift", c_int32),
        ("sentence", c_char_p),
        ("risk", c_char_p),
        ("fix", c_char_p),
        ("justification", c_char_p),
        ("live", Estimate),
        ("most_live", Estimate),
        ("insertions", POINTER(Insertion)),
        ("insertion_count", c_uint32),
        ("not_fixed", c_char_p),
    ]


class Stats(Structure):
    _fields_ = [
        ("input_bytes", c_size_t),
        ("output_bytes", c_size_t),
        ("peak_bytes", c_size_t),
        ("functions", c_uint32),
        ("instructions", c_uint32),
        ("tcgen05", c_uint32),
        ("candidates", c_uint32),
        ("deleted", c_uint32),
        ("parse_ns", c_uint64),
        ("analysis_ns", c_uint64),
        ("check_ns", c_uint64),
        ("memory_bytes", c_size_t),
        ("linted", c_bool),
        ("optimized", c_bool),
        ("examined", c_uint32),
        ("hidden_warnings", c_uint32),
        ("hidden_notes", c_uint32),
    ]


class ReportFormat(Structure):
    _fields_ = [("name", c_char_p), ("summary", c_char_p)]


class Checked(Structure):
    _fields_ = [
        ("function", c_char_p),
        ("verdict", c_int),
        ("message", c_char_p),
        ("path", POINTER(c_uint32)),
        ("path_count", c_uint32),
        ("deletions", c_uint32),
    ]


STRUCTURES: dict[str, type[Structure]] = {
    "ptxopt_rule": Rule,
    "ptxopt_assumption": Assumption,
    "ptxopt_reason": Reason,
    "ptxopt_lint_code": LintCode,
    "ptxopt_step": Step,
    "ptxopt_origin": Origin,
    "ptxopt_decline": Decline,
    "ptxopt_estimate": Estimate,
    "ptxopt_insertion": Insertion,
    "ptxopt_finding": Finding,
    "ptxopt_stats": Stats,
    "ptxopt_report_format": ReportFormat,
    "ptxopt_checked": Checked,
}

Cancelled = CFUNCTYPE(c_bool, c_void_p)

_size_out = POINTER(c_size_t)
# Opaque structures of the library, and memory that the caller frees, are addresses.
_options = _result = _verification = _memory = c_void_p

FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "ptxopt_version": (c_char_p, ()),
    "ptxopt_build": (c_char_p, ()),
    "ptxopt_rules": (POINTER(Rule), (_size_out,)),
    "ptxopt_assumptions": (POINTER(Assumption), (_size_out,)),
    "ptxopt_reasons": (POINTER(Reason), (_size_out,)),
    "ptxopt_lint_codes": (POINTER(LintCode), (_size_out,)),
    "ptxopt_options_new": (_options, ()),
    "ptxopt_options_free": (None, (_options,)),
    "ptxopt_options_set_rules": (c_bool, (_options, c_char_p)),
    "ptxopt_options_assume": (c_bool, (_options, c_char_p, c_bool)),
    "ptxopt_options_set_isa": (c_bool, (_options, c_char_p)),
    "ptxopt_options_set_style": (None, (_options, c_int)),
    "ptxopt_options_set_parse": (None, (_options, c_int)),
    "ptxopt_options_only": (c_bool, (_options, c_char_p)),
    "ptxopt_options_skip": (c_bool, (_options, c_char_p)),
    "ptxopt_options_set_certificate": (None, (_options, c_bool)),
    "ptxopt_options_set_steps": (None, (_options, c_bool)),
    "ptxopt_options_set_lint": (None, (_options, c_bool)),
    "ptxopt_options_set_lint_level": (c_bool, (_options, c_int)),
    "ptxopt_options_set_fix": (None, (_options, c_bool)),
    "ptxopt_options_accept": (c_bool, (_options, c_char_p)),
    "ptxopt_options_set_max_input": (c_bool, (_options, c_size_t)),
    "ptxopt_options_set_max_memory": (None, (_options, c_size_t)),
    "ptxopt_options_set_threads": (c_bool, (_options, c_uint)),
    "ptxopt_options_set_cancel": (None, (_options, Cancelled, c_void_p)),
    "ptxopt_run": (_result, (_options, c_char_p, c_char_p, c_size_t)),
    "ptxopt_result_free": (None, (_result,)),
    "ptxopt_result_status": (c_int, (_result,)),
    "ptxopt_result_message": (c_char_p, (_result,)),
    "ptxopt_result_changed": (c_bool, (_result,)),
    "ptxopt_result_text": (c_void_p, (_result, _size_out)),
    "ptxopt_result_certificate": (c_void_p, (_result, _size_out)),
    "ptxopt_result_stats": (POINTER(Stats), (_result,)),
    "ptxopt_result_findings": (POINTER(Finding), (_result, _size_out)),
    "ptxopt_report_formats": (POINTER(ReportFormat), (_size_out,)),
    "ptxopt_report": (_memory, (_result, c_char_p, c_char_p, _size_out)),
    "ptxopt_verify": (_verification, (_options, c_char_p, c_size_t, c_char_p, c_size_t)),
    "ptxopt_verification_free": (None, (_verification,)),
    "ptxopt_verification_status": (c_int, (_verification,)),
    "ptxopt_verification_verdict": (c_int, (_verification,)),
    "ptxopt_verification_message": (c_char_p, (_verification,)),
    "ptxopt_verification_functions": (POINTER(Checked), (_verification, _size_out)),
    "ptxopt_verification_findings": (POINTER(Finding), (_verification, _size_out)),
    "ptxopt_verification_certificate": (c_void_p, (_verification, _size_out)),
}


def find() -> str:
    """The file of libptxopt: ``PTXOPT_LIBRARY``, or the one in this package (a wheel), or the system's."""
    chosen = os.environ.get("PTXOPT_LIBRARY")
    if chosen:
        return chosen
    own = Path(__file__).with_name("libptxopt.so")
    return str(own) if own.exists() else SONAME


@functools.cache
def library() -> ctypes.CDLL:
    """libptxopt, loaded once; its calls run without the GIL.

    Raises
    ------
    LibraryError
        It is missing, or of another version.
    """
    file = find()
    try:
        loaded = ctypes.CDLL(file)
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(loaded, name)
            function.restype = result
            function.argtypes = arguments
    except (OSError, AttributeError) as error:
        raise LibraryError(
            f"libptxopt cannot be loaded ({error}): install the wheel, or libptxopt {VERSION} on the system, "
            "or let PTXOPT_LIBRARY name libptxopt.so"
        ) from error
    version = loaded.ptxopt_version().decode()
    if version != VERSION:
        raise LibraryError(
            f"{file} is libptxopt {version}, and this package is of {VERSION}: install both of one version"
        )
    return loaded


@functools.cache
def free() -> Any:
    """free() of the C library, for memory that a function of libptxopt passes to its caller."""
    function = ctypes.CDLL(None).free
    function.restype = None
    function.argtypes = (c_void_p,)
    return function
