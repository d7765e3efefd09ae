; Both conventions: outer and inner of nvim-treesitter-textobjects, around and inside of Helix.

(function_definition) @function.outer @function.around

(function_definition
  body: (block
    .
    "{"
    _+ @function.inner @function.inside
    .
    "}"))

(block) @block.outer @block.around

(block
  .
  "{"
  _+ @block.inner @block.inside
  .
  "}")

; Parameters, arguments and operands. Of nvim-treesitter-textobjects the comma after is outer too, after the last the
; one before. In patterns of their own for Helix: a node takes three captures at most.
(parameter_list
  (parameter) @parameter.inner @parameter.outer
  .
  "," @parameter.outer)

(parameter_list
  ","? @parameter.outer
  .
  (parameter) @parameter.inner @parameter.outer
  .
  ")")

(parameter_list
  (parameter) @parameter.inside @parameter.around
  .
  ","? @parameter.around)

(argument_list
  (_) @parameter.inner @parameter.outer
  .
  "," @parameter.outer)

(argument_list
  ","? @parameter.outer
  .
  (_) @parameter.inner @parameter.outer
  .
  ")")

(argument_list
  (_) @parameter.inside @parameter.around
  .
  ","? @parameter.around)

(instruction
  operand: (_) @parameter.inner @parameter.outer
  .
  "," @parameter.outer)

(instruction
  ","? @parameter.outer
  .
  operand: (_) @parameter.inner @parameter.outer
  .
  ";")

(instruction
  operand: (_) @parameter.inside @parameter.around
  .
  ","? @parameter.around)

[
  (instruction)
  (call_instruction)
  (variable_declaration)
] @statement.outer

(call_instruction) @call.outer

(call_instruction
  arguments: (argument_list
    .
    "("
    _+ @call.inner
    .
    ")"))

(initializer_list
  (_) @entry.inside @entry.around)

[
  (integer)
  (float)
] @number.inner

(comment) @comment.outer @comment.around @comment.inside
