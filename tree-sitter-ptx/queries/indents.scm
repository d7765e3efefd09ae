; The names are nvim-treesitter's, which stops at others: Helix's are in editors/helix/indents.scm.

[
  (block)
  (section)
  (parameter_list)
  (initializer_list)
  (intermediate_source_section)
  (code_block)
] @indent.begin

(instruction ";" @indent.end) @indent.begin
(call_instruction ";" @indent.end) @indent.begin

["}" ")"] @indent.branch

"}" @indent.end

; A label stands where its function does.
(label) @indent.branch

[
  (comment)
  (line_marker)
  (dwarf_directive)
  (string)
] @indent.auto

(source_text) @indent.ignore
