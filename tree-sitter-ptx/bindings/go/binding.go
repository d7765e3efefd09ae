// Package tree_sitter_ptx is the grammar of PTX, the assembly language of NVIDIA GPUs, for tree-sitter.
package tree_sitter_ptx

// #cgo CFLAGS: -I${SRCDIR}/../../src -std=c11 -w
// #include "../../src/parser.c"
import "C"

import "unsafe"

// Language is the TSLanguage: what tree_sitter.NewLanguage takes.
func Language() unsafe.Pointer {
	return unsafe.Pointer(C.tree_sitter_ptx())
}
