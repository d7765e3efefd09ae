/* Builds syntax trees and walks them, as a thin layer over tree-sitter's tree. See cst.h. */
#include "syntax/cst.h"

#include "base/buf.h"
#include "base/bug.h"
#include "base/work.h"
#include "syntax/accept.h"
#include "syntax/explain.h"
#include "syntax/scan.h"
#include "syntax/tree.h"

enum { MAX_SYMBOLS = 1024, MAX_FIELDS = 256 };

static const char *const KIND_NAMES[CST_KIND_COUNT] = {
    [CST_OTHER] = "",
    [CST_ADDRESS] = "address",
    [CST_ADDRESS_SIZE_DIRECTIVE] = "address_size_directive",
    [CST_ALIGNMENT] = "alignment",
    [CST_ARGUMENT_LIST] = "argument_list",
    [CST_ATTRIBUTE] = "attribute",
    [CST_ATTRIBUTE_LIST] = "attribute_list",
    [CST_BINARY_EXPRESSION] = "binary_expression",
    [CST_BLOCK] = "block",
    [CST_BRANCH_TARGETS] = "branch_targets",
    [CST_CALL_INSTRUCTION] = "call_instruction",
    [CST_CALL_TARGETS] = "call_targets",
    [CST_CAST_EXPRESSION] = "cast_expression",
    [CST_CONDITIONAL_EXPRESSION] = "conditional_expression",
    [CST_DEBUG_DATA] = "debug_data",
    [CST_DECLARATOR] = "declarator",
    [CST_DIMENSION] = "dimension",
    [CST_DIRECTIVE_NAME] = "directive_name",
    [CST_FILE_DIRECTIVE] = "file_directive",
    [CST_FLOAT] = "float",
    [CST_FUNCTION_DEFINITION] = "function_definition",
    [CST_FUNCTION_DIRECTIVE] = "function_directive",
    [CST_GENERIC_EXPRESSION] = "generic_expression",
    [CST_GUARD] = "guard",
    [CST_IDENTIFIER] = "identifier",
    [CST_INITIALIZER_LIST] = "initializer_list",
    [CST_INSTRUCTION] = "instruction",
    [CST_INTEGER] = "integer",
    [CST_INTEGER_LIST] = "integer_list",
    [CST_LABEL] = "label",
    [CST_LINKAGE] = "linkage",
    [CST_LOC_DIRECTIVE] = "loc_directive",
    [CST_MASK_EXPRESSION] = "mask_expression",
    [CST_MEMBER] = "member",
    [CST_MODIFIER] = "modifier",
    [CST_NEGATION] = "negation",
    [CST_OPCODE] = "opcode",
    [CST_PAIR] = "pair",
    [CST_PARAMETER] = "parameter",
    [CST_PARENTHESIZED_EXPRESSION] = "parenthesized_expression",
    [CST_POINTER_ATTRIBUTE] = "pointer_attribute",
    [CST_PROTOTYPE_DECLARATION] = "prototype_declaration",
    [CST_RANGE_TARGET] = "range_target",
    [CST_SECTION] = "section",
    [CST_SECTION_NAME] = "section_name",
    [CST_SELECTOR] = "selector",
    [CST_SINK] = "sink",
    [CST_SOURCE_FILE] = "source_file",
    [CST_STATE_SPACE] = "state_space",
    [CST_STRING] = "string",
    [CST_SUBSCRIPT] = "subscript",
    [CST_SYMBOL_OFFSET] = "symbol_offset",
    [CST_TARGET_DIRECTIVE] = "target_directive",
    [CST_TYPE] = "type",
    [CST_UNARY_EXPRESSION] = "unary_expression",
    [CST_UNKNOWN_DIRECTIVE] = "unknown_directive",
    [CST_VARIABLE_DECLARATION] = "variable_declaration",
    [CST_VECTOR] = "vector",
    [CST_VECTOR_TYPE] = "vector_type",
    [CST_VERSION_DIRECTIVE] = "version_directive",
    [CST_VERSION_NUMBER] = "version_number",
};

static const char *const FIELD_NAMES[CST_FIELD_NAMES] = {
    [CST_FIELD_NONE] = "",
    [CST_FIELD_ARGUMENT] = "argument",
    [CST_FIELD_ARGUMENTS] = "arguments",
    [CST_FIELD_BANK] = "bank",
    [CST_FIELD_BASE] = "base",
    [CST_FIELD_BODY] = "body",
    [CST_FIELD_CALLEE] = "callee",
    [CST_FIELD_COLUMN] = "column",
    [CST_FIELD_COORDINATE] = "coordinate",
    [CST_FIELD_COUNT] = "count",
    [CST_FIELD_FILE] = "file",
    [CST_FIELD_FUNCTION] = "function",
    [CST_FIELD_FUNCTION_NAME] = "function_name",
    [CST_FIELD_INDEX] = "index",
    [CST_FIELD_INLINED_COLUMN] = "inlined_column",
    [CST_FIELD_INLINED_FILE] = "inlined_file",
    [CST_FIELD_INLINED_LINE] = "inlined_line",
    [CST_FIELD_KIND] = "kind",
    [CST_FIELD_LABEL] = "label",
    [CST_FIELD_LEFT] = "left",
    [CST_FIELD_LINE] = "line",
    [CST_FIELD_NAME] = "name",
    [CST_FIELD_NEGATED] = "negated",
    [CST_FIELD_OBJECT] = "object",
    [CST_FIELD_OFFSET] = "offset",
    [CST_FIELD_OPERAND] = "operand",
    [CST_FIELD_OPERATOR] = "operator",
    [CST_FIELD_QUALIFIER] = "qualifier",
    [CST_FIELD_REGISTER] = "register",
    [CST_FIELD_RETURN] = "return",
    [CST_FIELD_RIGHT] = "right",
    [CST_FIELD_SELECTOR] = "selector",
    [CST_FIELD_SIZE] = "size",
    [CST_FIELD_SPACE] = "space",
    [CST_FIELD_TARGET] = "target",
    [CST_FIELD_TYPE] = "type",
    [CST_FIELD_VALUE] = "value",
    [CST_FIELD_VERSION] = "version",
};

struct cst_names {
    uint8_t kind_of[MAX_SYMBOLS], field_of[MAX_FIELDS];
};

struct cst {
    TSTree *tree;
    const struct cst_names *names;
};

struct cst_cursor {
    const struct cst *cst;
    TSTreeCursor at;
};

static bool is_name(const char *name, const char *wanted)
{
    return *name == *wanted && strcmp(name, wanted) == 0;
}

/* The numbers of symbols change with each change of the grammar, so kinds and fields are found by
 * name. */
const struct cst_names *cst_names(struct arena *arena)
{
    struct cst_names *names = arena_alloc(arena, 1, sizeof *names);
    const TSLanguage *language = tree_sitter_ptx();
    uint32_t symbols = ts_language_symbol_count(language);
    uint32_t fields = ts_language_field_count(language);
    BUG_UNLESS(symbols <= MAX_SYMBOLS && fields < MAX_FIELDS);
    for (uint32_t s = 0; s < symbols; s++) {
        if (ts_language_symbol_type(language, (TSSymbol)s) != TSSymbolTypeRegular) continue;
        const char *name = ts_language_symbol_name(language, (TSSymbol)s);
        for (int k = 1; k < CST_KIND_COUNT; k++)
            if (is_name(name, KIND_NAMES[k])) names->kind_of[s] = (uint8_t)k;
    }
    for (uint32_t f = 1; f <= fields; f++) {
        const char *name = ts_language_field_name_for_id(language, (TSFieldId)f);
        for (int k = 1; k < CST_FIELD_NAMES; k++)
            if (is_name(name, FIELD_NAMES[k])) names->field_of[f] = (uint8_t)k;
    }
    return names;
}

static struct cst *new_cst(TSTree *tree, const struct cst_names *names)
{
    struct cst *cst = mem_zalloc(1, sizeof *cst);
    *cst = (struct cst){tree, names};
    return cst;
}

/* Every byte of the text is in the tree: the size of a node is the sum of the sizes of its
 * children. */
static bool is_whole_tree(const TSTree *tree, size_t n)
{
    TSNode root = ts_tree_root_node(tree);
    return !tree_is_wrong(root) && ts_node_end_byte(root) == n;
}

/* NULL if the text is refused; diags then says why. */
static TSTree *parse_source(const struct source *source, struct str text, struct arena *arena,
                            struct diag_list *diags)
{
    uint32_t at;
    enum acceptance acceptance = accept_text(text, &at);
    if (acceptance != ACCEPTED) {
        explain_refusal(source, text, acceptance, at, arena, diags);
        return NULL;
    }
    TSTree *tree = tree_parse(text);
    if (is_whole_tree(tree, text.n)) return tree;
    diag_add(diags, (struct place){1, 1}, "internal",
             "libtree-sitter lost a part of this text (please report this)");
    ts_tree_delete(tree);
    return NULL;
}

struct cst *cst_parse(const struct source *source, struct arena *arena, struct diag_list *diags)
{
    char *text = scan_text(source, arena, diags);
    if (!text) return NULL;
    TSTree *tree = parse_source(source, (struct str){text, source->text.n}, arena, diags);
    mem_free(text);
    if (!tree) return NULL;
    return new_cst(tree, cst_names(arena));
}

struct cst *cst_parse_sample(struct str text, const struct cst_names *names)
{
    TSTree *tree = tree_parse(text);
    if (!tree_is_wrong(ts_tree_root_node(tree))) return new_cst(tree, names);
    ts_tree_delete(tree);
    return NULL;
}

void cst_free(struct cst *cst)
{
    if (cst) ts_tree_delete(cst->tree);
    mem_free(cst);
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

static struct cst_cursor *cursor_at(const struct cst *cst, TSNode node)
{
    struct cst_cursor *cursor = mem_alloc(sizeof *cursor);
    cursor->cst = cst;
    cursor->at = ts_tree_cursor_new(node);
    return cursor;
}

struct cst_cursor *cst_cursor_new(const struct cst *cst)
{
    return cursor_at(cst, ts_tree_root_node(cst->tree));
}

/* Begins at the parent, because a cursor that begins at a node does not know the field name of that
 * node. */
struct cst_cursor *cst_only_statement(const struct cst *cst, enum cst_place place)
{
    enum { BRACKETS = 2 };
    TSNode parent = ts_tree_root_node(cst->tree);
    if (ts_node_child_count(parent) != 1) return NULL;
    if (place == CST_IN_BODY) {
        TSNode function = ts_node_child(parent, 0);
        parent = ts_node_child(function, ts_node_child_count(function) - 1);
        if (ts_node_child_count(parent) != 1 + BRACKETS) return NULL;
    }
    struct cst_cursor *cursor = cursor_at(cst, parent);
    cst_down(cursor);
    if (place == CST_IN_BODY) cst_next(cursor);
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
    work_spend(1);
    return ts_tree_cursor_goto_next_sibling(&cursor->at);
}

bool cst_up(struct cst_cursor *cursor)
{
    return ts_tree_cursor_goto_parent(&cursor->at);
}

enum cst_kind cst_kind(const struct cst_cursor *cursor)
{
    TSSymbol symbol = ts_node_symbol(ts_tree_cursor_current_node(&cursor->at));
    return symbol < MAX_SYMBOLS ? (enum cst_kind)cursor->cst->names->kind_of[symbol] : CST_OTHER;
}

enum cst_field cst_field(const struct cst_cursor *cursor)
{
    TSFieldId field = ts_tree_cursor_current_field_id(&cursor->at);
    return field < MAX_FIELDS ? (enum cst_field)cursor->cst->names->field_of[field]
                              : CST_FIELD_NONE;
}

struct span cst_span(const struct cst_cursor *cursor)
{
    TSNode node = ts_tree_cursor_current_node(&cursor->at);
    return (struct span){ts_node_start_byte(node), ts_node_end_byte(node)};
}
