module github.com/OWNER/ptxopt/tree-sitter-ptx

go 1.19
