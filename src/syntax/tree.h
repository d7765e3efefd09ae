/* The tree of libtree-sitter for a text, for the files of this folder. */
#ifndef PTXOPT_SYNTAX_TREE_H
#define PTXOPT_SYNTAX_TREE_H

#include <stdbool.h>

#include <tree_sitter/api.h>

#include "base/str.h"

const TSLanguage *tree_sitter_ptx(void);

enum { TREE_ERROR_SYMBOL = 0xffff };

/* Parses text, which is borrowed during the call. The caller frees the tree with ts_tree_delete. */
TSTree *tree_parse(struct str text);

/* The tree under root has errors. */
bool tree_is_wrong(TSNode root);

#endif
