/* Tests the language that a binding provides. */
#ifndef PARSES_H
#define PARSES_H

#include <stdbool.h>
#include <string.h>
#include <tree_sitter/api.h>

/* Whether libtree-sitter accepts `language`, and parses `text` with it without an error. */
static inline bool parses(const void *language, const char *text)
{
    TSParser *parser = ts_parser_new();
    bool good = ts_parser_set_language(parser, (const TSLanguage *)language);
    if (good) {
        TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)strlen(text));
        TSNode root = ts_tree_root_node(tree);
        good = !ts_node_has_error(root) && strcmp(ts_node_type(root), "source_file") == 0 &&
               ts_node_child_count(root) > 0;
        ts_tree_delete(tree);
    }
    ts_parser_delete(parser);
    return good;
}

#endif
