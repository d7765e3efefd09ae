/* Compiles queries and shows what they capture.
 *
 *   captures QUERY TEXT    a line a capture, in the order of the text: line:column, the names (the
 *                          last pattern's last, which is the one that wins) and the node's first
 * line captures QUERY         nothing, exit status 0: it compiles
 */
#include <regex.h>
#include <stdbool.h>
#include <string.h>

#include "text.h"

struct capture {
    TSNode node;
    uint32_t pattern, index;
};

static bool node_is(TSNode node, struct text text, const char *value, uint32_t len)
{
    uint32_t start = ts_node_start_byte(node), size = ts_node_end_byte(node) - start;
    return size == len && memcmp(text.data + start, value, len) == 0;
}

static bool node_matches(TSNode node, struct text text, const char *pattern)
{
    uint32_t start = ts_node_start_byte(node), size = ts_node_end_byte(node) - start;
    char *copy = calloc(size + 1, 1);
    regex_t regex;
    if (!copy || regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB)) abort();
    memcpy(copy, text.data + start, size);
    bool matches = regexec(&regex, copy, 0, NULL, 0) == 0;
    regfree(&regex);
    free(copy);
    return matches;
}

/* The predicates of the queries here: eq?, match?, any-of?; directives such as set! hold. */
static bool predicate_holds(const TSQuery *query, const TSQueryPredicateStep *step,
                            const TSQueryMatch *match, struct text text)
{
    uint32_t len;
    const char *name = ts_query_string_value_for_id(query, step[0].value_id, &len);
    if (len && name[len - 1] == '!') return true;
    for (uint16_t i = 0; i < match->capture_count; i++) {
        if (match->captures[i].index != step[1].value_id) continue;
        bool holds = false;
        for (const TSQueryPredicateStep *value = step + 2;
             value->type != TSQueryPredicateStepTypeDone; value++) {
            const char *string = ts_query_string_value_for_id(query, value->value_id, &len);
            holds |= strcmp(name, "match?") == 0
                         ? node_matches(match->captures[i].node, text, string)
                         : node_is(match->captures[i].node, text, string, len);
        }
        if (!holds) return false;
    }
    return true;
}

static bool predicates_hold(const TSQuery *query, const TSQueryMatch *match, struct text text)
{
    uint32_t count;
    const TSQueryPredicateStep *steps =
        ts_query_predicates_for_pattern(query, match->pattern_index, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!predicate_holds(query, steps + i, match, text)) return false;
        while (steps[i].type != TSQueryPredicateStepTypeDone) i++;
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct capture *x = a, *y = b;
    uint32_t m[] = {ts_node_start_byte(x->node), UINT32_MAX - ts_node_end_byte(x->node), x->pattern,
                    x->index};
    uint32_t n[] = {ts_node_start_byte(y->node), UINT32_MAX - ts_node_end_byte(y->node), y->pattern,
                    y->index};
    for (int i = 0; i < 4; i++)
        if (m[i] != n[i]) return m[i] < n[i] ? -1 : 1;
    return 0;
}

static void show(const TSQuery *query, const struct capture *captures, size_t count,
                 struct text text)
{
    for (size_t i = 0; i < count;) {
        TSNode node = captures[i].node;
        TSPoint at = ts_node_start_point(node);
        uint32_t start = ts_node_start_byte(node), stop = start, len;
        printf("%u:%u", at.row + 1, at.column + 1);
        for (; i < count && ts_node_eq(captures[i].node, node); i++) {
            const char *name = ts_query_capture_name_for_id(query, captures[i].index, &len);
            if (*name != '_') printf(" @%.*s", (int)len, name);
        }
        while (stop < ts_node_end_byte(node) && text.data[stop] != '\n') stop++;
        printf(" %.*s\n", (int)(stop - start), text.data + start);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct text source = text_read(argv[1]);
    uint32_t offset;
    TSQueryError error;
    TSQuery *query = ts_query_new(tree_sitter_ptx(), source.data, source.len, &offset, &error);
    if (!query) {
        printf("# %s: error %d at byte %u: %.40s\n", argv[1], (int)error, offset,
               source.data + offset);
        return 1;
    }
    if (argc > 2) {
        struct text text = text_read(argv[2]);
        TSParser *parser = ts_parser_new();
        ts_parser_set_language(parser, tree_sitter_ptx());
        TSTree *tree = ts_parser_parse_string(parser, NULL, text.data, text.len);
        TSQueryCursor *cursor = ts_query_cursor_new();
        ts_query_cursor_exec(cursor, query, ts_tree_root_node(tree));
        size_t count = 0, room = 0;
        struct capture *captures = NULL;
        for (TSQueryMatch match; ts_query_cursor_next_match(cursor, &match);) {
            if (!predicates_hold(query, &match, text)) continue;
            for (uint16_t i = 0; i < match.capture_count; i++) {
                if (count == room)
                    captures = realloc(captures, (room = room * 2 + 64) * sizeof *captures);
                if (!captures) abort();
                captures[count++] = (struct capture){match.captures[i].node, match.pattern_index,
                                                     match.captures[i].index};
            }
        }
        if (count) qsort(captures, count, sizeof *captures, by_place);
        show(query, captures, count, text);
        free(captures);
        ts_query_cursor_delete(cursor);
        ts_tree_delete(tree);
        ts_parser_delete(parser);
        text_free(text);
    }
    ts_query_delete(query);
    text_free(source);
    return 0;
}
