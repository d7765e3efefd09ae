; extends
; PTX in the asm statements of CUDA and C++: an editor's injections.scm for `cuda` or `cpp`. The strings of one statement are
; one text, without their escapes; a macro between them ends it. For C, whose grammar has no raw strings, without these lines.

((gnu_asm_expression
  assembly_code: [
    (string_literal ((string_content) @injection.content (escape_sequence)*)+)
    (raw_string_literal (raw_string_content) @injection.content)
    (concatenated_string [
      (string_literal ((string_content) @injection.content (escape_sequence)*)*)
      (raw_string_literal (raw_string_content) @injection.content)
      (identifier)
    ]+)
  ])
  (#set! injection.language "ptx"))
