; What a list of symbols shows, and what refers to it.

(function_definition
  kind: ".entry"
  name: (identifier) @name) @definition.function

(function_definition
  kind: ".func"
  name: (identifier) @name) @definition.function

(alias_directive
  alias: (identifier) @name) @definition.function

(source_file
  (variable_declaration
    declarator: (declarator
      name: (identifier) @name)) @definition.variable)

(prototype_declaration
  label: (identifier) @name) @definition.interface

(call_instruction
  callee: (identifier) @name) @reference.call

(call_targets
  target: (identifier) @name) @reference.call

(alias_directive
  target: (identifier) @name) @reference.call

(generic_expression
  argument: (identifier) @name) @reference.variable
