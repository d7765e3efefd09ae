[
  (block)
  (section)
  (parameter_list)
  (initializer_list)
  (intermediate_source_section)
  (code_block)
  (source_text)
  (comment)
] @fold
