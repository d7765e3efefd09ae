((comment) @injection.content
  (#set! injection.language "comment"))

; The source that the PTX was made from: a dialect of MLIR ("tile ir", "gpu ir").
((code_block
  (source_text) @injection.content)
  (#set! injection.language "mlir"))
