# The generated parser: a separate library with its own flags. The convenience library becomes a part of
# libptxopt; the installed one, with the same code, is for other programs.

noinst_LTLIBRARIES += libtree_sitter_ptx.la
libtree_sitter_ptx_la_SOURCES = tree-sitter-ptx/src/parser.c
libtree_sitter_ptx_la_CPPFLAGS = -I$(top_srcdir)/tree-sitter-ptx/src
libtree_sitter_ptx_la_CFLAGS = $(STD_CFLAGS) -O2 -w

lib_LTLIBRARIES += tree-sitter-ptx/libtree-sitter-ptx.la
tree_sitter_ptx_libtree_sitter_ptx_la_SOURCES =
tree_sitter_ptx_libtree_sitter_ptx_la_LIBADD = libtree_sitter_ptx.la
tree_sitter_ptx_libtree_sitter_ptx_la_LDFLAGS = \
	$(AM_LDFLAGS) -version-info 0:0:0 -export-symbols-regex '^tree_sitter_ptx$$'

treesitterincludedir = $(includedir)/tree_sitter
treesitterinclude_HEADERS = tree-sitter-ptx/bindings/c/tree_sitter/tree-sitter-ptx.h

ptxqueriesdir = $(datadir)/tree-sitter/queries/ptx
dist_ptxqueries_DATA = \
	tree-sitter-ptx/queries/folds.scm \
	tree-sitter-ptx/queries/highlights.scm \
	tree-sitter-ptx/queries/indents.scm \
	tree-sitter-ptx/queries/injections.scm \
	tree-sitter-ptx/queries/locals.scm \
	tree-sitter-ptx/queries/tags.scm \
	tree-sitter-ptx/queries/textobjects.scm

pkgconfig_DATA += tree-sitter-ptx/tree-sitter-ptx.pc
tree-sitter-ptx/tree-sitter-ptx.pc: tree-sitter-ptx/bindings/c/tree-sitter-ptx.pc.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SED) \
		-e 's|@prefix[@]|$(prefix)|' -e 's|@exec_prefix[@]|$(exec_prefix)|' \
		-e 's|@libdir[@]|$(libdir)|' -e 's|@includedir[@]|$(includedir)|' \
		-e 's|@datadir[@]|$(datadir)|' -e 's|@PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|' \
		$(srcdir)/tree-sitter-ptx/bindings/c/tree-sitter-ptx.pc.in >$@.tmp && mv $@.tmp $@

# Installs only the grammar.
install-tree-sitter-ptx: tree-sitter-ptx/libtree-sitter-ptx.la tree-sitter-ptx/tree-sitter-ptx.pc
	$(MAKE) $(AM_MAKEFLAGS) install-treesitterincludeHEADERS install-dist_ptxqueriesDATA
	$(MKDIR_P) '$(DESTDIR)$(libdir)' '$(DESTDIR)$(pkgconfigdir)'
	$(LIBTOOL) $(AM_LIBTOOLFLAGS) $(LIBTOOLFLAGS) --mode=install $(INSTALL) \
		tree-sitter-ptx/libtree-sitter-ptx.la '$(DESTDIR)$(libdir)'
	$(INSTALL_DATA) tree-sitter-ptx/tree-sitter-ptx.pc '$(DESTDIR)$(pkgconfigdir)'
.PHONY: install-tree-sitter-ptx

CLEANFILES += tree-sitter-ptx/tree-sitter-ptx.pc
EXTRA_DIST += \
	tree-sitter-ptx/.editorconfig \
	tree-sitter-ptx/Cargo.toml \
	tree-sitter-ptx/LICENSE \
	tree-sitter-ptx/MANIFEST.in \
	tree-sitter-ptx/Package.swift \
	tree-sitter-ptx/README.md \
	tree-sitter-ptx/binding.gyp \
	tree-sitter-ptx/bindings/c/tree-sitter-ptx.pc.in \
	tree-sitter-ptx/bindings/go \
	tree-sitter-ptx/bindings/node \
	tree-sitter-ptx/bindings/python \
	tree-sitter-ptx/bindings/rust \
	tree-sitter-ptx/bindings/swift \
	tree-sitter-ptx/editors \
	tree-sitter-ptx/go.mod \
	tree-sitter-ptx/grammar.js \
	tree-sitter-ptx/highlight.png \
	tree-sitter-ptx/lenient.tsv \
	tree-sitter-ptx/package.json \
	tree-sitter-ptx/pyproject.toml \
	tree-sitter-ptx/setup.py \
	tree-sitter-ptx/src/grammar.json \
	tree-sitter-ptx/src/node-types.json \
	tree-sitter-ptx/src/tree_sitter \
	tree-sitter-ptx/test \
	tree-sitter-ptx/tree-sitter.json
