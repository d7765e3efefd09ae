/* Parses a text with libtree-sitter. See tree.h. */
#include "syntax/tree.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/mem.h"
#include "base/work.h"

/* The allocator of tree-sitter ends the process when memory is exhausted. The allocator is replaced
 * once, when the library is loaded and before it starts a thread, because the setting is global. If
 * the library of tree-sitter is shared, other code of the process uses it as well: outside our
 * calls, memory comes from malloc as before. */
static void *require_plain_memory(void *ptr)
{
    if (!ptr) mem_exhausted();
    return ptr;
}

static void *parser_alloc(size_t size)
{
    return work_thread.open ? mem_alloc(size) : require_plain_memory(malloc(size));
}

static void *parser_zalloc(size_t count, size_t size)
{
    return work_thread.open ? mem_zalloc(count, size) : require_plain_memory(calloc(count, size));
}

static void *parser_realloc(void *old, size_t size)
{
    return work_thread.open ? mem_realloc(old, size) : require_plain_memory(realloc(old, size));
}

static void parser_free(void *ptr)
{
    if (work_thread.open)
        mem_free(ptr);
    else
        free(ptr);
    work_spend(1); /* a tree is freed node by node, which is work */
}

__attribute__((constructor)) static void use_our_memory(void)
{
    ts_set_allocator(parser_alloc, parser_zalloc, parser_realloc, parser_free);
}

/* Gives the parser the text in pieces, so that the limit of work is checked within a long token. */
static const char *read_piece(void *payload, uint32_t at, TSPoint place, uint32_t *count)
{
    enum { PIECE = 16 << 10, BYTES_A_UNIT = 8 };
    const struct str *text = payload;
    uint32_t left = at < text->n ? (uint32_t)text->n - at : 0;
    (void)place;
    work_spend(PIECE / BYTES_A_UNIT);
    *count = left < PIECE ? left : PIECE;
    return left ? text->p + at : "";
}

TSTree *tree_parse(struct str text)
{
    TSParser *parser = ts_parser_new();
    BUG_UNLESS(ts_parser_set_language(parser, tree_sitter_ptx()));
    TSTree *tree = ts_parser_parse(parser, NULL, (TSInput){&text, read_piece, TSInputEncodingUTF8});
    BUG_UNLESS(tree);
    ts_parser_delete(parser);
    return tree;
}

bool tree_is_wrong(TSNode root)
{
    return ts_node_has_error(root) || ts_node_symbol(root) == TREE_ERROR_SYMBOL;
}
