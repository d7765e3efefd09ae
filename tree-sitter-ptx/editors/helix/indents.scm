; In place of queries/indents.scm: Helix has names of its own, and nvim-treesitter stops at one that it does not know.

[
  (block)
  (section)
  (parameter_list)
  (initializer_list)
  (intermediate_source_section)
  (code_block)
  (instruction)
  (call_instruction)
] @indent

["}" ")"] @outdent

(label) @outdent
