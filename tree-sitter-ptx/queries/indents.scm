; Both conventions: @indent.begin and its kin of nvim-treesitter, @indent and @outdent of Helix.

[
  (block)
  (section)
  (parameter_list)
  (initializer_list)
  (intermediate_source_section)
  (code_block)
] @indent.begin @indent

(instruction ";" @indent.end) @indent.begin @indent
(call_instruction ";" @indent.end) @indent.begin @indent

["}" ")"] @indent.branch @outdent

"}" @indent.end

; A label stands where its function does.
(label) @indent.dedent @outdent

[
  (comment)
  (line_marker)
  (dwarf_directive)
  (string)
] @indent.auto

(source_text) @indent.ignore
