/* What is the syntax tree of this text? A thin, total view of tree-sitter's tree. */
#include "syntax/cst.h"

#include <tree_sitter/api.h>

#include "base/buf.h"
#include "base/bug.h"
#include "base/mem.h"

const TSLanguage *tree_sitter_ptx(void);

enum { MAX_ERRORS = 8, MAX_SYMBOLS = 1024, MAX_FIELDS = 256, ERROR_SYMBOL = 0xffff };

static const char *const KIND_NAMES[CST_KIND_COUNT] = {
    [CST_OTHER] = "",
    [CST_ADDRESS] = "address",
    [CST_ARGUMENT_LIST] = "argument_list",
    [CST_BLOCK] = "block",
    [CST_BRANCH_TARGETS] = "branch_targets",
    [CST_CALL_INSTRUCTION] = "call_instruction",
    [CST_COMMENT] = "comment",
    [CST_DECLARATOR] = "declarator",
    [CST_FILE_DIRECTIVE] = "file_directive",
    [CST_FUNCTION_DEFINITION] = "function_definition",
    [CST_GUARD] = "guard",
    [CST_IDENTIFIER] = "identifier",
    [CST_INSTRUCTION] = "instruction",
    [CST_INTEGER] = "integer",
    [CST_LABEL] = "label",
    [CST_LINE_MARKER] = "line_marker",
    [CST_LOC_DIRECTIVE] = "loc_directive",
    [CST_MODIFIER] = "modifier",
    [CST_OPCODE] = "opcode",
    [CST_RANGE_TARGET] = "range_target",
    [CST_STATE_SPACE] = "state_space",
    [CST_VARIABLE_DECLARATION] = "variable_declaration",
    [CST_VECTOR] = "vector",
    [CST_VERSION_DIRECTIVE] = "version_directive",
};

static const char *const FIELD_NAMES[CST_FIELD_NAMES] = {
    [CST_FIELD_NONE] = "",           [CST_FIELD_BODY] = "body",
    [CST_FIELD_COLUMN] = "column",   [CST_FIELD_COUNT] = "count",
    [CST_FIELD_FILE] = "file",       [CST_FIELD_INDEX] = "index",
    [CST_FIELD_KIND] = "kind",       [CST_FIELD_LABEL] = "label",
    [CST_FIELD_LINE] = "line",       [CST_FIELD_NAME] = "name",
    [CST_FIELD_NEGATED] = "negated", [CST_FIELD_REGISTER] = "register",
    [CST_FIELD_RETURN] = "return",   [CST_FIELD_TARGET] = "target",
    [CST_FIELD_VERSION] = "version",
};

struct cst {
    TSTree *tree;
    uint8_t kind_of[MAX_SYMBOLS], field_of[MAX_FIELDS];
};

struct cst_cursor {
    const struct cst *cst;
    TSTreeCursor at;
};

/* tree-sitter's own allocator ends the process with status 1 when memory is out. Set once, as the
 * library is loaded and before any thread of ours: the setting is tree-sitter's, one for all. */
__attribute__((constructor)) static void use_our_memory(void)
{
    ts_set_allocator(mem_alloc, mem_zalloc, mem_realloc, mem_free);
}

/* tree-sitter numbers its symbols anew with each change of the grammar; names are stable. */
static void map_names(struct cst *cst)
{
    const TSLanguage *language = tree_sitter_ptx();
    uint32_t symbols = ts_language_symbol_count(language);
    uint32_t fields = ts_language_field_count(language);
    BUG_UNLESS(symbols <= MAX_SYMBOLS && fields < MAX_FIELDS);
    for (uint32_t s = 0; s < symbols; s++) {
        if (ts_language_symbol_type(language, (TSSymbol)s) != TSSymbolTypeRegular) continue;
        for (int k = 1; k < CST_KIND_COUNT; k++)
            if (strcmp(ts_language_symbol_name(language, (TSSymbol)s), KIND_NAMES[k]) == 0)
                cst->kind_of[s] = (uint8_t)k;
    }
    for (uint32_t f = 1; f <= fields; f++)
        for (int k = 1; k < CST_FIELD_NAMES; k++)
            if (strcmp(ts_language_field_name_for_id(language, (TSFieldId)f), FIELD_NAMES[k]) == 0)
                cst->field_of[f] = (uint8_t)k;
}

static const char *expected_inside(const char *parent)
{
    static const struct {
        const char *parent, *text;
    } EXPECTED[] = {
        {"instruction", "expected operands separated by ',' and a ';' at the end"},
        {"call_instruction", "expected operands separated by ',' and a ';' at the end"},
        {"block", "expected an instruction ending in ';', a label, a declaration or '}'"},
        {"source_file", "expected a directive, a declaration or a function"},
        {"variable_declaration", "expected a type, names separated by ',' and a ';' at the end"},
        {"function_definition",
         "expected a name, parameters in '()', directives and a body in '{}'"},
        {"parameter_list", "expected parameters separated by ',' and a ')'"},
        {"parameter", "expected a space, a type and a name"},
        {"argument_list", "expected arguments separated by ',' and a ')'"},
        {"address", "expected a register or symbol, '+' and an offset, and a ']'"},
        {"vector", "expected operands separated by ',' and a '}'"},
        {"initializer_list", "expected values separated by ',' and a '}'"},
        {"guard", "expected a predicate behind '@' or '@!'"},
        {"section", "expected labels, '.b8' to '.b64' with values, or '}'"},
        {"debug_data", "expected integers, a label or a section"},
        {"loc_directive", "expected a file, a line and a column"},
    };
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++)
        if (strcmp(parent, EXPECTED[i].parent) == 0) return EXPECTED[i].text;
    return NULL;
}

static void report_missing(const struct source *source, struct arena *arena,
                           struct diag_list *diags, TSNode node)
{
    diag_add(diags, DIAG_ERROR, source_place(source, ts_node_start_byte(node)), "syntax",
             arena_printf(arena, "expected '%s' here", ts_node_type(node)));
}

static void report_error(const struct source *source, struct arena *arena, struct diag_list *diags,
                         TSNode node)
{
    uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node), stop = start;
    while (stop < end && stop - start < 40 && (unsigned char)source->text.p[stop] >= ' ') stop++;
    TSNode parent = ts_node_parent(node);
    const char *type = ts_node_is_null(parent) ? "source_file" : ts_node_type(parent);
    const char *expected = expected_inside(type);
    const char *what = stop == start ? "syntax error"
                                     : arena_printf(arena, "syntax error at '%.*s'",
                                                    (int)(stop - start), source->text.p + start);
    if (!expected) expected = arena_printf(arena, "inside a %s", type);
    diag_add(diags, DIAG_ERROR, source_place(source, start), "syntax",
             arena_printf(arena, "%s; %s", what, expected));
}

/* Every ERROR and MISSING node in order of place, up to MAX_ERRORS. */
static void report_errors(const struct source *source, struct arena *arena, struct diag_list *diags,
                          TSNode root)
{
    TSTreeCursor at = ts_tree_cursor_new(root);
    uint32_t found = 0;
    for (bool more = true; more && found < MAX_ERRORS;) {
        TSNode node = ts_tree_cursor_current_node(&at);
        bool bad = ts_node_symbol(node) == ERROR_SYMBOL, missing = ts_node_is_missing(node);
        if (missing) report_missing(source, arena, diags, node);
        if (bad) report_error(source, arena, diags, node);
        found += bad || missing;
        if (!bad && ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&at)) continue;
        while (!(more = ts_tree_cursor_goto_next_sibling(&at)) && ts_tree_cursor_goto_parent(&at))
            ;
    }
    ts_tree_cursor_delete(&at);
    if (!found) diag_add(diags, DIAG_ERROR, (struct place){1, 1}, "syntax", "this is not PTX");
}

struct cst *cst_parse(const struct source *source, struct arena *arena, struct diag_list *diags)
{
    TSParser *parser = ts_parser_new();
    BUG_UNLESS(ts_parser_set_language(parser, tree_sitter_ptx()));
    struct cst *cst = arena_alloc(arena, 1, sizeof *cst);
    cst->tree = ts_parser_parse_string(parser, NULL, source->text.p, (uint32_t)source->text.n);
    ts_parser_delete(parser);
    map_names(cst);
    TSNode root = ts_tree_root_node(cst->tree);
    if (!ts_node_has_error(root) && ts_node_symbol(root) != ERROR_SYMBOL) return cst;
    report_errors(source, arena, diags, root);
    cst_free(cst);
    return NULL;
}

void cst_free(struct cst *cst)
{
    if (cst) ts_tree_delete(cst->tree);
}

static void dump_node(const struct cst_cursor *cursor, int depth, struct buf *out)
{
    TSNode node = ts_tree_cursor_current_node(&cursor->at);
    if (!ts_node_is_named(node)) return;
    const char *field = ts_tree_cursor_current_field_name(&cursor->at);
    for (int i = 0; i < depth; i++) buf_puts(out, "  ");
    if (field) buf_printf(out, "%s: ", field);
    buf_printf(out, "%s [%u-%u)\n", ts_node_type(node), ts_node_start_byte(node),
               ts_node_end_byte(node));
}

void cst_dump(const struct cst *cst, struct buf *out)
{
    struct cst_cursor *cursor = cst_cursor_new(cst);
    int depth = 0;
    for (bool more = true; more;) {
        dump_node(cursor, depth, out);
        if (cst_down(cursor)) {
            depth++;
            continue;
        }
        while (!(more = cst_next(cursor)) && cst_up(cursor)) depth--;
    }
    cst_cursor_free(cursor);
}

struct cst_cursor *cst_cursor_new(const struct cst *cst)
{
    struct cst_cursor *cursor = mem_alloc(sizeof *cursor);
    cursor->cst = cst;
    cursor->at = ts_tree_cursor_new(ts_tree_root_node(cst->tree));
    return cursor;
}

void cst_cursor_free(struct cst_cursor *cursor)
{
    ts_tree_cursor_delete(&cursor->at);
    mem_free(cursor);
}

bool cst_down(struct cst_cursor *cursor)
{
    return ts_tree_cursor_goto_first_child(&cursor->at);
}

bool cst_next(struct cst_cursor *cursor)
{
    return ts_tree_cursor_goto_next_sibling(&cursor->at);
}

bool cst_up(struct cst_cursor *cursor)
{
    return ts_tree_cursor_goto_parent(&cursor->at);
}

enum cst_kind cst_kind(const struct cst_cursor *cursor)
{
    TSSymbol symbol = ts_node_symbol(ts_tree_cursor_current_node(&cursor->at));
    return symbol < MAX_SYMBOLS ? (enum cst_kind)cursor->cst->kind_of[symbol] : CST_OTHER;
}

enum cst_field cst_field(const struct cst_cursor *cursor)
{
    TSFieldId field = ts_tree_cursor_current_field_id(&cursor->at);
    return field < MAX_FIELDS ? (enum cst_field)cursor->cst->field_of[field] : CST_FIELD_NONE;
}

struct span cst_span(const struct cst_cursor *cursor)
{
    TSNode node = ts_tree_cursor_current_node(&cursor->at);
    return (struct span){ts_node_start_byte(node), ts_node_end_byte(node)};
}
