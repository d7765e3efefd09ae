/* Which tree does libtree-sitter make of this text? */
#include "syntax/tree.h"

#include "base/bug.h"
#include "base/mem.h"

/* tree-sitter's own allocator ends the process with status 1 when memory is out. Set once, as the
 * library is loaded and before any thread of ours: the setting is tree-sitter's, one for all. */
__attribute__((constructor)) static void use_our_memory(void)
{
    ts_set_allocator(mem_alloc, mem_zalloc, mem_realloc, mem_free);
}

TSTree *tree_parse(struct str text)
{
    TSParser *parser = ts_parser_new();
    BUG_UNLESS(ts_parser_set_language(parser, tree_sitter_ptx()));
    TSTree *tree = ts_parser_parse_string(parser, NULL, text.p, (uint32_t)text.n);
    ts_parser_delete(parser);
    return tree;
}

bool tree_is_wrong(TSNode root)
{
    return ts_node_has_error(root) || ts_node_symbol(root) == TREE_ERROR_SYMBOL;
}
