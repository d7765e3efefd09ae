// With a kernel as its argument: parses it by the language of the module.
package main

// #cgo LDFLAGS: -ltree-sitter
// #include <stdlib.h>
// #include "parses.h"
import "C"

import (
	"log"
	"os"
	"unsafe"

	tree_sitter_ptx "github.com/OWNER/ptxopt/tree-sitter-ptx/bindings/go"
)

func parses(text string) bool {
	copied := C.CString(text)
	defer C.free(unsafe.Pointer(copied))
	return bool(C.parses(tree_sitter_ptx.Language(), copied))
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if !parses(string(text)) || parses("add.s32 (") {
		log.Fatal("the language does not parse as it should")
	}
}
