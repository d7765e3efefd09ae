"""Proves which tcgen05 fences and waits of a PTX text are redundant, and removes exactly those.

Examples
--------
>>> import ptxopt
>>> result = ptxopt.optimize(open("kernel.ptx").read(), name="kernel.ptx")
>>> result
<ptxopt.Result of kernel.ptx: 1 removed, 1 kept>
>>> print(result.report("markdown"))
### ptxopt: 1 of 2 candidates redundant, in 1 of 1 file
...
"""

from ._library import VERSION as __version__
from .errors import (
    BadInputError,
    CancelledError,
    InternalError,
    LibraryError,
    LimitError,
    OptionError,
    OutOfMemoryError,
    PtxoptError,
)
from .model import (
    Assumption,
    Checked,
    Decline,
    Finding,
    Insertion,
    Kind,
    Level,
    LintCode,
    Origin,
    Reason,
    Rule,
    Stats,
    Step,
    Verdict,
    assumptions,
    lint_codes,
    reasons,
    report_formats,
    rules,
)
from .programs import make_shim, program, ptxas_path
from .run import Result, Verification, lint, optimize, verify

__all__ = [
    "Assumption",
    "BadInputError",
    "CancelledError",
    "Checked",
    "Decline",
    "Finding",
    "Insertion",
    "InternalError",
    "Kind",
    "Level",
    "LibraryError",
    "LimitError",
    "LintCode",
    "OptionError",
    "Origin",
    "OutOfMemoryError",
    "PtxoptError",
    "Reason",
    "Result",
    "Rule",
    "Stats",
    "Step",
    "Verdict",
    "Verification",
    "__version__",
    "assumptions",
    "lint",
    "lint_codes",
    "make_shim",
    "optimize",
    "program",
    "ptxas_path",
    "reasons",
    "report_formats",
    "rules",
    "verify",
]
