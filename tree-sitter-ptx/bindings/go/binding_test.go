package tree_sitter_ptx_test

import (
	"testing"

	tree_sitter_ptx "github.com/OWNER/ptxopt/tree-sitter-ptx/bindings/go"
)

func TestLanguageIsOneValue(t *testing.T) {
	language := tree_sitter_ptx.Language()
	if language == nil || language != tree_sitter_ptx.Language() {
		t.Errorf("Language() = %v", language)
	}
}
