"""asm.py cuda|cpp QUERY: the query finds the PTX of each asm statement in that language's tree, and the PTX parses."""
import importlib
import pathlib
import sys

import tree_sitter
import tree_sitter_ptx

SOURCE = rb'''
void statements(int *p) {
  asm volatile("mov.u32 %0, %tid.x;\n\t" "add.s32 %0, " "%0, 1; // last" : "=r"(x) : "r"(y) : "memory");
  asm("membar.gl;");
  asm("{\n\t.reg .pred p;\n\tsetp.eq.s32 p, %0, 0;\n\t"
      "@p bra DONE;\nDONE:\n\t}" :: "r"(z));
  asm(R"( fence.proxy.async;
      )" "ret;");
  printf("add.s32 no, ptx, 1;");
}
'''
FOUND = [
    "mov.u32 %0, %tid.x;|add.s32 %0, |%0, 1; // last",
    "membar.gl;",
    "{|.reg .pred p;|setp.eq.s32 p, %0, 0;|@p bra DONE;|DONE:|}",
    " fence.proxy.async;\n      |ret;",
]

host = tree_sitter.Language(importlib.import_module("tree_sitter_" + sys.argv[1]).language())
tree = tree_sitter.Parser(host).parse(SOURCE)
query = tree_sitter.Query(host, pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
ptx = tree_sitter.Parser(tree_sitter.Language(tree_sitter_ptx.language()))
found = []
for pattern, captures in tree_sitter.QueryCursor(query).matches(tree.root_node):
    assert query.pattern_settings(pattern) == {"injection.language": "ptx"}
    pieces = captures["injection.content"]
    ptx.included_ranges = [piece.range for piece in pieces]
    injected = ptx.parse(SOURCE).root_node
    assert not injected.has_error, injected
    found.append("|".join(piece.text.decode() for piece in pieces))
assert found == FOUND, found


def errors(node):
    return [node] if node.is_error else [one for child in node.children for one in errors(child)]


# A percent sign is written twice where the statement has operands: the first is an error, of itself alone.
doubled = tree_sitter.Parser(ptx.language).parse(b"add.s32 %%a, %%b, %0;").root_node
assert [one.text for one in errors(doubled)] == [b"%", b"%"], doubled
