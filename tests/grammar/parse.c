/* Parses files and says what became of them, without the rest of ptxopt.
 *
 *   parse FILE...            a line a file: its name, a tab, ok or the place of the first error
 *   parse --memory FILE      bytes of the tree's nodes for each hundred bytes of the text
 *   parse --read FILE        nothing but reading: what callgrind is to take off
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "text.h"

static size_t live, peak;

static void *counted(void *old, size_t size)
{
    size_t *block = old ? (size_t *)old - 2 : NULL;
    size_t before = block ? block[0] : 0;
    block = realloc(block, size + 2 * sizeof *block);
    if (!block) abort();
    block[0] = size;
    live = live - before + size;
    if (live > peak) peak = live;
    return block + 2;
}

static void *count_malloc(size_t size)
{
    return counted(NULL, size);
}

static void *count_calloc(size_t n, size_t size)
{
    return memset(counted(NULL, n * size), 0, n * size);
}

static void *count_realloc(void *old, size_t size)
{
    return counted(old, size);
}

static void count_free(void *old)
{
    if (!old) return;
    size_t *block = (size_t *)old - 2;
    live -= block[0];
    free(block);
}

/* The first ERROR or MISSING node of a tree that has one. */
static TSNode first_error(TSNode node)
{
    for (;;) {
        if (ts_node_is_missing(node) || strcmp(ts_node_type(node), "ERROR") == 0) return node;
        TSNode inner = node;
        uint32_t count = ts_node_child_count(node);
        for (uint32_t i = 0; i < count; i++) {
            TSNode child = ts_node_child(node, i);
            if (ts_node_has_error(child) || ts_node_is_missing(child)) {
                inner = child;
                break;
            }
        }
        if (ts_node_eq(inner, node)) return node;
        node = inner;
    }
}

static void tell(const char *path, TSTree *tree)
{
    TSNode root = ts_tree_root_node(tree);
    if (!ts_node_has_error(root)) {
        printf("%s\tok\n", path);
        return;
    }
    TSPoint at = ts_node_start_point(first_error(root));
    printf("%s\terror at %u:%u\n", path, at.row + 1, at.column + 1);
}

int main(int argc, char **argv)
{
    bool memory = argc == 3 && strcmp(argv[1], "--memory") == 0;
    bool only_read = argc == 3 && strcmp(argv[1], "--read") == 0;
    if (argc < 2) return 2;
    if (memory) ts_set_allocator(count_malloc, count_calloc, count_realloc, count_free);
    TSParser *parser = ts_parser_new();
    ts_parser_set_language(parser, LANGUAGE());
    for (int i = memory || only_read ? 2 : 1; i < argc; i++) {
        struct text text = text_read(argv[i]);
        if (only_read) {
            text_free(text);
            continue;
        }
        TSTree *tree = ts_parser_parse_string(parser, NULL, text.data, text.len);
        if (memory) {
            ts_parser_delete(parser);
            parser = NULL;
            printf("%zu\n", live * 100 / text.len);
        } else {
            tell(argv[i], tree);
        }
        ts_tree_delete(tree);
        text_free(text);
    }
    if (parser) ts_parser_delete(parser);
    return 0;
}
