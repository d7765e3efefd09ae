; A later pattern wins over an earlier one.

(comment) @comment
(line_marker) @keyword.directive
(dwarf_directive) @keyword.directive
(source_text) @string.special

(string) @string
(integer) @number
(integer_list) @number
(float) @number
(version_number) @number

(identifier) @variable
(sink) @variable.builtin

; `%` and `$` are letters: what a name stands for shows only in its spelling.
((identifier) @variable.builtin
  (#match? @variable.builtin "^[%](tid|ntid|ctaid|nctaid|laneid|warpid|nwarpid|smid|nsmid|gridid|is_explicit_cluster|clusterid|nclusterid|cluster_ctaid|cluster_nctaid|cluster_ctarank|cluster_nctarank|lanemask_(eq|le|lt|ge|gt)|clock|clock_hi|clock64|pm[0-7](_64)?|envreg[0-9]+|globaltimer(_lo|_hi)?|reserved_smem_offset_[a-z0-9_]+|total_smem_size|aggr_smem_size|dynamic_smem_size|current_graph_exec)$"))

((identifier) @constant.builtin
  (#eq? @constant.builtin "WARP_SZ"))

(opcode) @function.builtin
(modifier) @attribute
(selector) @property
(type) @type.builtin
(vector_type) @type.builtin
(state_space) @keyword
(linkage) @keyword
(directive_name) @keyword
(section_name) @string.special

(label name: (identifier) @label)
(prototype_declaration label: (identifier) @label)
(call_targets label: (identifier) @label)
(branch_targets label: (identifier) @label)
(branch_targets target: (identifier) @label)

((instruction
   opcode: (opcode) @function.builtin
   operand: (identifier) @label)
  (#eq? @function.builtin "bra"))
((instruction
   opcode: (opcode) @function.builtin
   operand: (identifier) @label .)
  (#eq? @function.builtin "brx"))

(call_instruction callee: (identifier) @function)
(call_targets target: (identifier) @function)
(function_definition name: (identifier) @function)
(alias_directive alias: (identifier) @function target: (identifier) @function)
(generic_expression function: (identifier) @function.builtin)

(parameter name: (identifier) @variable.parameter)
(target_directive target: (identifier) @constant)
(field_initializer name: (identifier) @property)

[
  ".version"
  ".target"
  ".address_size"
  ".file"
  ".pragma"
  ".alias"
  ".section"
  ".entry"
  ".func"
  ".align"
  ".attribute"
  ".ptr"
  ".loc"
  ".loc_intermediate"
  ".callprototype"
  ".calltargets"
  ".branchtargets"
] @keyword

["," ";" ":"] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
(guard "@" @operator)
(guard "!" @operator)
(pair "|" @operator)
(unary_expression operator: _ @operator)
(binary_expression operator: _ @operator)
(negation operator: _ @operator)
(address "+" @operator)
(symbol_offset "+" @operator)
(declarator "=" @operator)
(declarator ["<" ">"] @punctuation.bracket)
(range_target ["<" ">"] @punctuation.bracket)
(conditional_expression ["?" ":"] @operator)
