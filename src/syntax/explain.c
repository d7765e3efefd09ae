/* Explains a syntax error: parses the text around the first error and says what was expected. The
 * parser gets the text up to the end of a window after the first error, with the open blocks
 * closed. libtree-sitter makes a node for the error that may get everything on the stack (at most
 * ACCEPT_STACK_MAX) and all tokens after it; together these are fewer than the 65,535 children that
 * libtree-sitter 0.20.7 can count. See explain.h. */
#include "syntax/explain.h"

#include "base/buf.h"
#include "base/work.h"
#include "syntax/tree.h"

enum { MAX_ERRORS = 8, WINDOW = 2048 };

struct report {
    const struct source *source;
    struct arena *arena;
    struct diag_list *diags;
    uint32_t end, found; /* end: errors from here on may be caused by the cut of the window */
};

/* A name of the grammar, and the text for a writer of PTX. */
struct wording {
    const char *name, *text;
};

static const char *find_wording(const struct wording *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i].name) == 0) return list[i].text;
    return NULL;
}

#define CONSTANT "expected a constant expression"
#define OPERANDS "expected operands separated by ',' and a ';' at the end"

/* What is expected inside a construct. */
static const struct wording EXPECTED[] = {
    {"address", "expected a register or symbol, '+' and an offset, and a ']'"},
    {"address_size_directive", "expected 32 or 64"},
    {"alias_directive", "expected two function names separated by ',' and a ';'"},
    {"alignment", "expected a number of bytes"},
    {"argument_list", "expected arguments separated by ',' and a ')'"},
    {"attribute", "expected constants separated by ',' and a ')'"},
    {"attribute_list", "expected attributes as '.managed', separated by ',', in '()'"},
    {"binary_expression", CONSTANT},
    {"block", "expected an instruction ending in ';', a label, a declaration or '}'"},
    {"branch_targets", "expected labels separated by ',' and a ';' at the end"},
    {"call_instruction", OPERANDS},
    {"call_targets", "expected function names separated by ',' and a ';' at the end"},
    {"cast_expression", CONSTANT},
    {"code_attribute", "expected a ':' and a string or an integer"},
    {"code_block", "expected source text or '}'"},
    {"conditional_expression", CONSTANT},
    {"debug_data", "expected integers, a label or a section"},
    {"declarator", "expected a name, with '<count>', '[size]' or '= value' after it"},
    {"dimension", "expected a size and a ']'"},
    {"field_initializer", "expected a name, '=' and a constant"},
    {"file_directive", "expected a number and a file name in '\"'"},
    {"function_definition", "expected a name, parameters in '()', directives and a body in '{}'"},
    {"function_directive", "expected integers or strings separated by ','"},
    {"generic_expression", "expected a name or a constant in '()'"},
    {"guard", "expected a predicate after '@' or '@!'"},
    {"initializer_list", "expected values separated by ',' and a '}'"},
    {"instruction", OPERANDS},
    {"intermediate_source_section", "expected blocks in '{}' or '}'"},
    {"label", "expected a name and a ':'"},
    {"loc_directive", "expected a file, a line and a column"},
    {"mask_expression", "expected a name or a constant in '()'"},
    {"member", "expected '.x', '.y', '.z' or '.w'"},
    {"negation", "expected a register"},
    {"pair", "expected two registers with a '|' between them"},
    {"parameter", "expected a space, a type and a name"},
    {"parameter_list", "expected parameters separated by ',' and a ')'"},
    {"parenthesized_expression", CONSTANT},
    {"pointer_attribute", "expected a space or '.align' and a number of bytes"},
    {"pragma_directive", "expected strings separated by ',' and a ';' at the end"},
    {"prototype_declaration", "expected '_', parameters in '()' and a ';' at the end"},
    {"range_target", "expected a name and a count in '<>'"},
    {"section", "expected labels, '.b8' to '.b64' with values, or '}'"},
    {"source_file", "expected a directive, a declaration or a function"},
    {"subscript", "expected an index and a ']'"},
    {"symbol_offset", "expected a '+' and a constant"},
    {"target_directive", "expected targets as sm_100a, separated by ','"},
    {"unary_expression", CONSTANT},
    {"unknown_directive", "expected integers or strings separated by ','"},
    {"variable_declaration", "expected a type, names separated by ',' and a ';' at the end"},
    {"vector", "expected operands separated by ',' and a '}'"},
    {"version_directive", "expected a version as 9.0"},
};

static const char *expected_inside(const char *parent)
{
    return find_wording(EXPECTED, sizeof EXPECTED / sizeof *EXPECTED, parent);
}

/* The text for a missing token. The parser inserts the shortest token that fits: if it inserts '_',
 * any operand fits. Tokens that are not listed, such as ';', are named by their text. */
static const struct wording MISSING[] = {
    {"comment", "expected a comment here"},
    {"directive_name", "expected a directive here"},
    {"dwarf_directive", "expected debug data here"},
    {"float", "expected a number here"},
    {"identifier", "expected a name or a value here"},
    {"integer", "expected an integer here"},
    {"integer_list", "expected integers here"},
    {"line_marker", "expected a '#' and a line number here"},
    {"linkage", "expected '.visible', '.extern', '.weak' or '.common' here"},
    {"modifier", "expected a type or another word after a '.' here"},
    {"opcode", "expected an instruction here"},
    {"section_name", "expected the name of a section, a label or an integer here"},
    {"selector", "expected '.x', '.y', '.z' or '.w' here"},
    {"sink", "expected an operand here"},
    {"source_text", "expected source text here"},
    {"state_space", "expected a state space as '.reg', '.shared' or '.global' here"},
    {"string", "expected a string in '\"' here"},
    {"type", "expected a type as '.b32' here"},
    {"vector_type", "expected '.v2', '.v4' or '.v8' here"},
    {"version_number", "expected a version as 9.0 here"},
};

static const char *missing_token_text(struct arena *arena, const char *token)
{
    const char *text = find_wording(MISSING, sizeof MISSING / sizeof *MISSING, token);
    return text ? text : arena_printf(arena, "expected '%s' here", token);
}

static void report_add(struct report *report, uint32_t at, const char *text)
{
    diag_add(report->diags, source_place(report->source, at), "syntax", text);
    report->found++;
}

/* Returns "syntax error at" with the first line of the text from start to end. */
static const char *syntax_error(const struct report *report, uint32_t start, uint32_t end)
{
    uint32_t stop = start;
    while (stop < end && stop - start < 40 && (unsigned char)report->source->text.p[stop] >= ' ')
        stop++;
    if (stop == start) return "syntax error";
    return arena_printf(report->arena, "syntax error at '%.*s'", (int)(stop - start),
                        report->source->text.p + start);
}

static void report_error(struct report *report, TSNode node)
{
    uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
    TSNode parent = ts_node_parent(node);
    const char *type = ts_node_is_null(parent) ? "source_file" : ts_node_type(parent);
    const char *expected = expected_inside(type);
    const char *what = syntax_error(report, start, end < report->end ? end : report->end);
    report_add(report, start,
               expected ? arena_printf(report->arena, "%s; %s", what, expected) : what);
}

/* Reports each ERROR and MISSING node in order of place, at most MAX_ERRORS. */
static void report_errors(struct report *report, TSNode root)
{
    TSTreeCursor at = ts_tree_cursor_new(root);
    for (bool more = true; more && report->found < MAX_ERRORS;) {
        TSNode node = ts_tree_cursor_current_node(&at);
        work_spend(1);
        if (ts_node_start_byte(node) >= report->end) break;
        bool bad = ts_node_symbol(node) == TREE_ERROR_SYMBOL;
        if (ts_node_is_missing(node))
            report_add(report, ts_node_start_byte(node),
                       missing_token_text(report->arena, ts_node_type(node)));
        if (bad) report_error(report, node);
        if (!bad && ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&at)) continue;
        while (!(more = ts_tree_cursor_goto_next_sibling(&at)) && ts_tree_cursor_goto_parent(&at))
            ;
    }
    ts_tree_cursor_delete(&at);
}

/* The end of the window after at: the end of the text, or the end of a statement. */
static uint32_t window_end(struct str text, uint32_t at)
{
    if (text.n - at <= WINDOW) return (uint32_t)text.n;
    for (uint32_t end = at + WINDOW; end > at + WINDOW / 2; end--)
        if (strchr(";{}", text.p[end - 1])) return end;
    return at + WINDOW;
}

/* Appends the text up to end, and a closing brace for each block that is open there. */
static void cut_window(struct buf *window, struct str text, uint32_t end)
{
    uint32_t open = 0;
    buf_add(window, text.p, end);
    if (end == text.n) return;
    for (uint32_t at = 0; at < end; at++) {
        if (text.p[at] == '{') open++;
        if (text.p[at] == '}') open -= open > 0;
        if (text.p[at] != '"') continue;
        const char *close = memchr(text.p + at + 1, '"', end - at - 1);
        at = close ? (uint32_t)(close - text.p) : end;
    }
    while (open--) buf_putc(window, '}');
}

static void explain_unexpected(struct report *report, struct str text, uint32_t at)
{
    struct buf window = {0};
    uint32_t end = window_end(text, at);
    report->end = end < text.n ? at + WINDOW / 2 : end;
    cut_window(&window, text, end);
    TSTree *tree = tree_parse((struct str){window.data, window.len});
    TSNode root = ts_tree_root_node(tree);
    if (ts_node_symbol(root) != TREE_ERROR_SYMBOL) report_errors(report, root);
    /* The whole text is one error for the parser, or the parser recovered after the window. */
    if (!report->found) report_add(report, at, syntax_error(report, at, report->end));
    ts_tree_delete(tree);
    buf_free(&window);
}

void explain_refusal(const struct source *source, struct str text, enum acceptance why, uint32_t at,
                     struct arena *arena, struct diag_list *diags)
{
    struct report report = {source, arena, diags, 0, 0};
    struct place place = source_place(source, at);
    if (why == ACCEPT_UNEXPECTED)
        explain_unexpected(&report, text, at);
    else if (why == ACCEPT_TOO_DEEP)
        diag_add(diags, place, "too-deep",
                 arena_printf(arena, "more than %d nested constructs", ACCEPT_STACK_MAX));
    else
        diag_add(diags, place, "syntax",
                 text.p[at] == '#'
                     ? "a '#' that begins no line marker; expected '# 1 \"file\"' and "
                       "the end of the line"
                     : "a comment after an unpaired '\"'");
}
