"""A fixture of pytest for authors of compilers: lint as a test of the generated PTX.

Examples
--------
>>> def test_matmul(ptx_lint):
...     ptx_lint(compile_matmul().asm["ptx"], name="matmul")
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterable
from typing import Any, cast

import pytest

from .run import LintLevel, Result, lint

__all__ = ["ptx_lint", "pytest_addoption"]

LEVELS = ("error", "warning", "note")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option, and the names for the configuration file."""
    help_text = "the lowest level that fails a test: error, warning (default) or note"
    parser.getgroup("ptxopt").addoption("--ptx-lint-level", choices=LEVELS, help=help_text)
    parser.addini("ptx_lint_level", help_text, default="warning")
    parser.addini("ptx_lint_accept", "ids of findings that are known, one a line", type="linelist", default=[])


def _texts(text: str | bytes | os.PathLike[str], name: str | None) -> list[tuple[str, str | bytes]]:
    """Names and texts: of a file, of all ``*.ptx`` below a folder, or of the text itself."""
    if not isinstance(text, os.PathLike):
        return [(name or "<ptx>", text)]
    path = pathlib.Path(text)
    files = sorted(path.rglob("*.ptx")) if path.is_dir() else [path]
    if not files:
        pytest.fail(f"{path}: there is no *.ptx below it, expected what the compiler leaves there", pytrace=False)
    return [(name if name and len(files) == 1 else str(file), file.read_bytes()) for file in files]


def _told(result: Result, name: str, source: str | bytes, folder: pathlib.Path) -> str:
    """The hazards, and the path of the text, for ``ptxopt --lint``."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{len(list(folder.iterdir()))}.ptx"
    kept.write_bytes(source.encode() if isinstance(source, str) else source)
    lines = [f"{name}: {len(result.hazards)} findings; the text is {kept}"]
    for one in result.hazards:
        lines.append(f"{name}:{one.line}:{one.column}: {one.level.name.lower()}: {one.message} [{one.code}; id {one.id}]")
        lines += [f"    {step.line}: {step.part}" for step in one.steps if step.part]
        lines += [f"    risk: {one.risk}", f"    fix: {one.fix}"]
    return "\n".join(lines)


@pytest.fixture
def ptx_lint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[Result, ...]]:
    """A function that fails the test if lint reports a hazard in PTX.

    Its arguments are a text, or the path of a file or of a folder with ``*.ptx`` (at least one, otherwise the test
    fails), and by name:

    name : str, optional
        The name of the text in messages.
    level : {"error", "warning", "note"}, optional
        The lowest level that fails; default: ``--ptx-lint-level``, ``ptx_lint_level`` of the configuration file,
        "warning".
    accept : iterable of str, optional
        Ids of accepted findings, in addition to those of ``ptx_lint_accept``.

    and those of `ptxopt.lint`. It returns a tuple of `ptxopt.Result`, one for each text. A text that is not PTX, and
    any other exception of `ptxopt.lint`, is an error of the test.
    """
    config = request.config
    default = config.getoption("--ptx-lint-level") or config.getini("ptx_lint_level")
    known = tuple(config.getini("ptx_lint_accept"))

    def check(
        text: str | bytes | os.PathLike[str],
        *,
        name: str | None = None,
        level: LintLevel | None = None,
        accept: Iterable[str] = (),
        **options: Any,
    ) -> tuple[Result, ...]:
        asked = cast(LintLevel, level or default)
        results, wrong = [], []
        for called, source in _texts(text, name):
            result = lint(source, name=called, level=asked, accept=(*known, *accept), **options)
            results.append(result)
            if result.hazards:
                wrong.append(_told(result, called, source, tmp_path_factory.getbasetemp() / "ptx"))
        if wrong:
            pytest.fail("\n".join(wrong), pytrace=False)
        return tuple(results)

    return check
