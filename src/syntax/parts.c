/* Finds the tokens of a statement that identify it. See parts.h. */
#include "syntax/parts.h"

struct reading {
    struct part_list *list;
    struct cst_cursor *cursor;
};

static struct part *parts_add(const struct reading *r, enum part_role role)
{
    struct part_list *list = r->list;
    uint32_t at = list->spans.count;
    vec_push(&list->spans, cst_span(r->cursor));
    vec_push(&list->parts, (struct part){at, at, (uint8_t)role, false});
    return &list->parts.at[list->parts.count - 1];
}

/* ---- instructions ---- */

static void parts_read_guard(const struct reading *r)
{
    bool negated = false;
    if (!cst_down(r->cursor)) return;
    do {
        negated |= cst_field(r->cursor) == CST_FIELD_NEGATED;
        if (cst_field(r->cursor) == CST_FIELD_REGISTER) parts_add(r, PART_GUARD)->flag = negated;
    } while (cst_next(r->cursor));
    cst_up(r->cursor);
}

static enum part_role operand_role(enum cst_kind kind)
{
    switch (kind) {
    case CST_IDENTIFIER: return PART_OPERAND_NAME;
    case CST_ADDRESS: return PART_OPERAND_ADDRESS;
    case CST_VECTOR: return PART_OPERAND_VECTOR;
    default: return PART_OPERAND_OTHER;
    }
}

/* Adds each identifier at or below the cursor. */
static void read_identifiers(const struct reading *r)
{
    uint32_t depth = 0;
    for (;;) {
        if (cst_kind(r->cursor) == CST_IDENTIFIER) parts_add(r, PART_IDENTIFIER);
        if (cst_down(r->cursor)) {
            depth++;
            continue;
        }
        while (depth && !cst_next(r->cursor)) {
            cst_up(r->cursor);
            depth--;
        }
        if (!depth) return;
    }
}

static void parts_read_instruction(const struct reading *r)
{
    if (!cst_down(r->cursor)) return;
    do {
        enum cst_kind kind = cst_kind(r->cursor);
        if (kind == CST_GUARD) parts_read_guard(r);
        if (kind == CST_OPCODE) parts_add(r, PART_OPCODE);
        if (kind == CST_MODIFIER) parts_add(r, PART_MODIFIER);
        if (kind == CST_GUARD || kind == CST_OPCODE || kind == CST_MODIFIER) continue;
        enum cst_field field = cst_field(r->cursor);
        if (field == CST_FIELD_NONE) continue; /* punctuation */
        parts_add(r, operand_role(kind))->flag = field == CST_FIELD_RETURN;
        read_identifiers(r);
    } while (cst_next(r->cursor));
    cst_up(r->cursor);
}

/* ---- other statements: the fields that a table lists ---- */

static const uint8_t ROLE_OF[CST_FIELD_NAMES] = {
    [CST_FIELD_COLUMN] = PART_COLUMN,
    [CST_FIELD_COUNT] = PART_COUNT,
    [CST_FIELD_FILE] = PART_FILE,
    [CST_FIELD_INDEX] = PART_NUMBER,
    [CST_FIELD_INLINED_COLUMN] = PART_INLINED_COLUMN,
    [CST_FIELD_INLINED_FILE] = PART_INLINED_FILE,
    [CST_FIELD_INLINED_LINE] = PART_INLINED_LINE,
    [CST_FIELD_LABEL] = PART_NAME,
    [CST_FIELD_LINE] = PART_LINE,
    [CST_FIELD_NAME] = PART_NAME,
    [CST_FIELD_TARGET] = PART_TARGET,
    [CST_FIELD_VERSION] = PART_VERSION,
};

/* Adds the children with a field in ROLE_OF. */
static void read_fields(const struct reading *r)
{
    if (!cst_down(r->cursor)) return;
    do {
        enum part_role role = (enum part_role)ROLE_OF[cst_field(r->cursor)];
        if (role) parts_add(r, role);
    } while (cst_next(r->cursor));
    cst_up(r->cursor);
}

static void parts_read_declaration(const struct reading *r)
{
    if (!cst_down(r->cursor)) return;
    do
        if (cst_kind(r->cursor) == CST_DECLARATOR) read_fields(r);
    while (cst_next(r->cursor));
    cst_up(r->cursor);
}

/* `N<5>` is one target with a count. */
static void parts_read_branch_targets(const struct reading *r)
{
    if (!cst_down(r->cursor)) return;
    do {
        enum cst_field field = cst_field(r->cursor);
        uint32_t first = r->list->parts.count;
        if (field == CST_FIELD_LABEL) parts_add(r, PART_NAME);
        if (field != CST_FIELD_TARGET) continue;
        if (cst_kind(r->cursor) == CST_RANGE_TARGET) {
            read_fields(r);
            r->list->parts.at[first].role = PART_TARGET;
        } else {
            parts_add(r, PART_TARGET);
        }
    } while (cst_next(r->cursor));
    cst_up(r->cursor);
}

/* Reads a function up to its body, and leaves the cursor on the body. */
static void parts_read_function(const struct reading *r)
{
    uint32_t word = 0;
    if (!cst_down(r->cursor)) return;
    do {
        enum cst_field field = cst_field(r->cursor);
        if (field == CST_FIELD_KIND) {
            word = r->list->parts.count;
            parts_add(r, PART_ENTRY_OR_FUNC);
        }
        if (field == CST_FIELD_NAME) parts_add(r, PART_NAME);
        if (field != CST_FIELD_BODY) continue;
        r->list->parts.at[word].flag = true;
        return;
    } while (cst_next(r->cursor));
    cst_up(r->cursor);
}

enum statement_kind parts_read(struct part_list *list, struct cst_cursor *cursor)
{
    struct reading r = {list, cursor};
    list->parts.count = list->spans.count = 0;
    switch (cst_kind(cursor)) {
    case CST_INSTRUCTION: return parts_read_instruction(&r), STATEMENT_INSTRUCTION;
    case CST_CALL_INSTRUCTION: return parts_read_instruction(&r), STATEMENT_CALL;
    case CST_VARIABLE_DECLARATION: return parts_read_declaration(&r), STATEMENT_DECLARATION;
    case CST_LABEL: return read_fields(&r), STATEMENT_LABEL;
    case CST_BRANCH_TARGETS: return parts_read_branch_targets(&r), STATEMENT_BRANCH_TARGETS;
    case CST_LOC_DIRECTIVE: return read_fields(&r), STATEMENT_LOC;
    case CST_FILE_DIRECTIVE: return read_fields(&r), STATEMENT_FILE;
    case CST_TARGET_DIRECTIVE: return read_fields(&r), STATEMENT_TARGET;
    case CST_VERSION_DIRECTIVE: return read_fields(&r), STATEMENT_VERSION;
    case CST_FUNCTION_DEFINITION: return parts_read_function(&r), STATEMENT_FUNCTION;
    default: return STATEMENT_OTHER;
    }
}

void parts_free(struct part_list *list)
{
    vec_free(&list->parts);
    vec_free(&list->spans);
}
