"""try.py KERNEL QUERIES: the installed package parses the kernel, and has the texts of the folder of queries."""
import pathlib
import sys

import tree_sitter
import tree_sitter_ptx

language = tree_sitter.Language(tree_sitter_ptx.language())
parser = tree_sitter.Parser(language)
root = parser.parse(pathlib.Path(sys.argv[1]).read_bytes()).root_node
assert root.type == "source_file" and not root.has_error, root
assert "function_definition" in {node.type for node in root.children}, root
assert parser.parse(b"add.s32 (").root_node.has_error
queries = sorted(pathlib.Path(sys.argv[2]).glob("*.scm"))
assert {query.stem.upper() + "_QUERY" for query in queries} == set(tree_sitter_ptx.__all__) - {"language"}
for query in queries:
    text = getattr(tree_sitter_ptx, query.stem.upper() + "_QUERY")
    assert text == query.read_text(encoding="utf-8"), query
    if hasattr(tree_sitter, "Query"):
        tree_sitter.Query(language, text)
    else:
        language.query(text)
