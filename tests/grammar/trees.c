/* Checks each tree. The leaves and the gaps between them are the text, byte for byte;
 * a gap is blank; after random edits an incremental parse gives the tree of a fresh one.
 * trees FILE... prints one result a file. */
#include <string.h>

#include "text.h"

enum { EDITS = 12, EDIT_MAX = 60 };

static uint64_t seed = 88172645463325252u;

static uint32_t below(uint32_t limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 11) % limit;
}

static TSTree *parse(TSParser *parser, TSTree *old, struct text text)
{
    return ts_parser_parse_string(parser, old, text.data, text.len);
}

/* ---- leaves and gaps ---- */

static bool blank(struct text text, uint32_t from, uint32_t to)
{
    for (; from < to; from++)
        if (!strchr(" \t\r\n\f\v", text.data[from]) || !text.data[from]) return false;
    return true;
}

static bool leaves_cover(TSTree *tree, struct text text)
{
    TSTreeCursor at = ts_tree_cursor_new(ts_tree_root_node(tree));
    uint32_t end = 0;
    bool good = true, error = ts_node_has_error(ts_tree_root_node(tree));
    for (bool more = true; more && good;) {
        TSNode node = ts_tree_cursor_current_node(&at);
        if (ts_tree_cursor_goto_first_child(&at)) continue;
        uint32_t start = ts_node_start_byte(node);
        if (ts_node_end_byte(node) > start || !error) {
            good = start >= end && (error || blank(text, end, start)) &&
                   ts_node_end_byte(node) <= text.len;
            end = ts_node_end_byte(node);
        }
        while (!(more = ts_tree_cursor_goto_next_sibling(&at)) && ts_tree_cursor_goto_parent(&at))
            ;
    }
    ts_tree_cursor_delete(&at);
    return good && (error || blank(text, end, text.len));
}

/* ---- edits ---- */

static TSPoint point_at(struct text text, uint32_t byte)
{
    TSPoint point = {0, 0};
    for (uint32_t i = 0; i < byte; i++) {
        point.column++;
        if (text.data[i] == '\n') point = (TSPoint){point.row + 1, 0};
    }
    return point;
}

/* Takes some bytes out and puts others in, most of them from elsewhere in the text. */
static TSInputEdit edit_at_random(struct text *text)
{
    static const char *const SCRAPS[] = {";",  "{",     "}",  ",",   "%r1", "/*",
                                         "\"", ".b32 ", "\n", "add", "@"};
    TSInputEdit edit;
    uint32_t from = below(text->len + 1), gone = below(EDIT_MAX), put = below(EDIT_MAX);
    if (gone > text->len - from) gone = text->len - from;
    char put_in[EDIT_MAX + 1];
    if (below(3) == 0) {
        const char *scrap = SCRAPS[below(sizeof SCRAPS / sizeof *SCRAPS)];
        put = (uint32_t)strlen(scrap);
        memcpy(put_in, scrap, put);
    } else {
        uint32_t source = below(text->len + 1);
        if (put > text->len - source) put = text->len - source;
        memcpy(put_in, text->data + source, put);
    }
    edit.start_byte = from;
    edit.old_end_byte = from + gone;
    edit.new_end_byte = from + put;
    edit.start_point = point_at(*text, from);
    edit.old_end_point = point_at(*text, edit.old_end_byte);
    char *data = malloc(text->len - gone + put + 1);
    if (!data) abort();
    memcpy(data, text->data, from);
    memcpy(data + from, put_in, put);
    memcpy(data + from + put, text->data + from + gone, text->len - from - gone);
    text_free(*text);
    *text = (struct text){data, text->len - gone + put};
    text->data[text->len] = '\0';
    edit.new_end_point = point_at(*text, edit.new_end_byte);
    return edit;
}

static bool same_tree(TSTree *a, TSTree *b)
{
    TSTreeCursor x = ts_tree_cursor_new(ts_tree_root_node(a));
    TSTreeCursor y = ts_tree_cursor_new(ts_tree_root_node(b));
    bool same = true;
    for (bool more = true; more && same;) {
        TSNode m = ts_tree_cursor_current_node(&x), n = ts_tree_cursor_current_node(&y);
        same = ts_node_symbol(m) == ts_node_symbol(n) &&
               ts_node_start_byte(m) == ts_node_start_byte(n) &&
               ts_node_end_byte(m) == ts_node_end_byte(n) &&
               ts_tree_cursor_current_field_id(&x) == ts_tree_cursor_current_field_id(&y);
        bool down = ts_tree_cursor_goto_first_child(&x);
        same = same && down == ts_tree_cursor_goto_first_child(&y);
        if (down || !same) continue;
        for (;;) {
            more = ts_tree_cursor_goto_next_sibling(&x);
            same = same && more == ts_tree_cursor_goto_next_sibling(&y);
            if (more || !same) break;
            bool up = ts_tree_cursor_goto_parent(&x);
            same = same && up == ts_tree_cursor_goto_parent(&y);
            if (!up || !same) break;
        }
    }
    ts_tree_cursor_delete(&x);
    ts_tree_cursor_delete(&y);
    return same;
}

static struct text copy_of(struct text text)
{
    struct text copy = {malloc(text.len + 1), text.len};
    if (!copy.data) abort();
    memcpy(copy.data, text.data, text.len + 1);
    return copy;
}

/* The tree that is parsed again after the edit, and a fresh one of the same text, are equal. With
 * errors, recovery may choose differently where it reuses nodes; then both have errors and the
 * leaves cover the text. */
static bool reparse_holds(TSParser *parser, TSTree **tree, TSInputEdit edit, struct text text)
{
    ts_tree_edit(*tree, &edit);
    TSTree *again = parse(parser, *tree, text), *fresh = parse(parser, NULL, text);
    bool error = ts_node_has_error(ts_tree_root_node(fresh));
    bool good = ts_node_has_error(ts_tree_root_node(again)) == error &&
                (error ? leaves_cover(again, text) : same_tree(again, fresh));
    ts_tree_delete(*tree);
    ts_tree_delete(fresh);
    *tree = again;
    return good;
}

/* An edit that broke the text is undone, which gives the correct tree again. */
static bool edits_hold(TSParser *parser, const char *path)
{
    struct text text = text_read(path);
    TSTree *tree = parse(parser, NULL, text);
    bool good = true;
    for (int i = 0; i < EDITS && good; i++) {
        struct text before = copy_of(text);
        TSInputEdit edit = edit_at_random(&text);
        good = reparse_holds(parser, &tree, edit, text);
        if (good && ts_node_has_error(ts_tree_root_node(tree))) {
            TSInputEdit back = {edit.start_byte,  edit.new_end_byte,  edit.old_end_byte,
                                edit.start_point, edit.new_end_point, edit.old_end_point};
            text_free(text);
            text = copy_of(before);
            good = reparse_holds(parser, &tree, back, text);
        }
        if (!good) printf("# edit %d, at byte %u of %s\n", i + 1, edit.start_byte, path);
        text_free(before);
    }
    ts_tree_delete(tree);
    text_free(text);
    return good;
}

static bool holds(TSParser *parser, const char *path)
{
    struct text text = text_read(path);
    TSTree *tree = parse(parser, NULL, text);
    bool good = leaves_cover(tree, text);
    if (!good) printf("# leaves and gaps of %s are not the text\n", path);
    ts_tree_delete(tree);
    text_free(text);
    int rounds = text.len > 40000 ? 1 : 3;
    for (int round = 0; round < rounds && good; round++) good = edits_hold(parser, path);
    return good;
}

int main(int argc, char **argv)
{
    TSParser *parser = ts_parser_new();
    ts_parser_set_language(parser, tree_sitter_ptx());
    for (int i = 1; i < argc; i++)
        printf("%sok %d - %s: leaves are the text, edits give the tree of a fresh parse\n",
               holds(parser, argv[i]) ? "" : "not ", i, argv[i]);
    printf("1..%d\n", argc - 1);
    ts_parser_delete(parser);
    return 0;
}
