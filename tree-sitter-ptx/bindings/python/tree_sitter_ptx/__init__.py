"""The grammar of PTX, the assembly language of NVIDIA GPUs, for tree-sitter.

>>> import tree_sitter, tree_sitter_ptx
>>> parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_ptx.language()))
>>> parser.parse(b"add.s32 a, b, 1;").root_node.has_error
False
"""

from importlib.resources import files as _files

from ._binding import language


def _query(name):
    return _files(__name__).joinpath("queries", name + ".scm").read_text(encoding="utf-8")


def __getattr__(name):
    """HIGHLIGHTS_QUERY, TAGS_QUERY and so on: the text of the query, read at the first use."""
    if name in _QUERIES:
        return _query(name[: -len("_QUERY")].lower())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_QUERIES = (
    "HIGHLIGHTS_QUERY",
    "TAGS_QUERY",
    "LOCALS_QUERY",
    "FOLDS_QUERY",
    "INDENTS_QUERY",
    "INJECTIONS_QUERY",
    "TEXTOBJECTS_QUERY",
)

__all__ = ["language", *_QUERIES]


def __dir__():
    return sorted([*__all__, "__doc__", "__name__"])
