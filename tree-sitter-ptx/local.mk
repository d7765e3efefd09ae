# The generated parser: a library of its own with its own flags.

noinst_LTLIBRARIES += libtree_sitter_ptx.la
libtree_sitter_ptx_la_SOURCES = tree-sitter-ptx/src/parser.c
libtree_sitter_ptx_la_CPPFLAGS = -I$(top_srcdir)/tree-sitter-ptx/src
libtree_sitter_ptx_la_CFLAGS = $(STD_CFLAGS) -O2 -w

EXTRA_DIST += \
	tree-sitter-ptx/README.md \
	tree-sitter-ptx/grammar.js \
	tree-sitter-ptx/package.json \
	tree-sitter-ptx/queries \
	tree-sitter-ptx/src/grammar.json \
	tree-sitter-ptx/src/node-types.json \
	tree-sitter-ptx/src/tree_sitter \
	tree-sitter-ptx/test
