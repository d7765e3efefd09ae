{
  "targets": [
    {
      "target_name": "tree_sitter_ptx_binding",
      "include_dirs": ["src"],
      "sources": ["bindings/node/binding.c", "src/parser.c"],
      "conditions": [
        ["OS=='win'", {"msvs_settings": {"VCCLCompilerTool": {"AdditionalOptions": ["/std:c11", "/utf-8"]}}}],
        ["OS!='win'", {"cflags_c": ["-std=c11", "-w"]}]
      ]
    }
  ]
}
