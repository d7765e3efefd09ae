; Registers, variables and labels belong to the braces they stand in, parameters to the function.

(source_file) @local.scope
(function_definition) @local.scope
(block) @local.scope

(function_definition name: (identifier) @local.definition.function)
(alias_directive alias: (identifier) @local.definition.function)
(parameter name: (identifier) @local.definition.parameter)
(declarator name: (identifier) @local.definition.var)
(label name: (identifier) @local.definition.label)
(prototype_declaration label: (identifier) @local.definition.type)
(call_targets label: (identifier) @local.definition.label)
(branch_targets label: (identifier) @local.definition.label)

(identifier) @local.reference
