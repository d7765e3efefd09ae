/* Refuses declarations, parameters and initial values that the grammar accepts and ptxas does not.
 */
#include "syntax/strict_rule.h"
#include "syntax/strict_word.h"

/* The parts of a declaration, in their order. */
enum { RANK_LINKAGE = 1, RANK_SPACE, RANK_VECTOR, RANK_TYPE, RANK_POINTER };

static void check_type(struct strict *strict, const struct strict_child *child)
{
    if (!strict->is_newer && !strict_is_type(child->text))
        strict_complain(strict, child->at,
                        arena_printf(strict->arena,
                                     "'%.*s' is not a type of a variable; expected one such as "
                                     "'.b32'",
                                     (int)child->text.n, child->text.p));
}

/* The rank of the child; 0 if the order does not apply to it. */
static uint8_t declaration_rank(const struct strict_frame *frame, const struct strict_child *child)
{
    switch (child->kind) {
    case CST_LINKAGE: return RANK_LINKAGE;
    case CST_ALIGNMENT:
        return frame->kind == CST_PARAMETER && frame->rank == RANK_TYPE ? RANK_POINTER : RANK_SPACE;
    case CST_ATTRIBUTE_LIST:
    case CST_STATE_SPACE: return RANK_SPACE;
    case CST_VECTOR_TYPE: return RANK_VECTOR;
    case CST_TYPE: return RANK_TYPE;
    case CST_POINTER_ATTRIBUTE: return RANK_POINTER;
    default: return 0;
    }
}

static void check_order(struct strict *strict, struct strict_frame *frame,
                        const struct strict_child *child)
{
    uint8_t rank = declaration_rank(frame, child);
    if (!rank) return;
    bool again = rank == RANK_SPACE && frame->rank == RANK_SPACE;
    bool early = rank == RANK_POINTER && (frame->rank != RANK_TYPE || frame->kind != CST_PARAMETER);
    if ((rank <= frame->rank && !again) || early)
        strict_complain(strict, child->at,
                        "expected this order: linkage, space and alignment, '.v2' or '.v4', type, "
                        "'.ptr' of a parameter, name");
    if (rank > frame->rank) frame->rank = rank;
}

static void in_declaration(struct strict *strict, struct strict_frame *frame,
                           const struct strict_child *child)
{
    check_order(strict, frame, child);
    if (child->kind == CST_STATE_SPACE) frame->word = child->text;
    if (child->field == CST_FIELD_BANK && !str_is(frame->word, ".const"))
        strict_complain(strict, child->at, "only '.const' has banks");
    if (child->kind == CST_VECTOR_TYPE && !str_is(child->text, ".v2") &&
        !str_is(child->text, ".v4"))
        strict_complain(strict, child->at, "expected '.v2' or '.v4'");
    if (child->kind == CST_TYPE) check_type(strict, child);
    if (child->field == CST_FIELD_NAME) frame->flag = true;
    if (child->kind == CST_DIMENSION && frame->count++)
        strict_complain(strict, child->at, "a parameter has one dimension");
}

static void end_declaration(struct strict *strict, struct strict_frame *frame)
{
    if (frame->rank < RANK_TYPE)
        strict_complain(strict, frame->start, "expected a type in this declaration");
    else if (frame->kind == CST_PARAMETER && !frame->flag)
        strict_complain(strict, frame->start, "expected a name, or '_', for this parameter");
}

static void in_pointer(struct strict *strict, struct strict_frame *frame,
                       const struct strict_child *child)
{
    (void)frame;
    bool wrong =
        str_is(child->text, ".reg") || str_is(child->text, ".param") || str_is(child->text, ".tex");
    if (child->kind == CST_STATE_SPACE && wrong)
        strict_complain(strict, child->at, "expected '.global', '.shared', '.const' or '.local'");
}

/* ---- names, sizes and values ---- */

static void in_declarator(struct strict *strict, struct strict_frame *frame,
                          const struct strict_child *child)
{
    if (child->field == CST_FIELD_COUNT) {
        frame->flag = true;
        if (!strict_is_constant(child)) strict_complain(strict, child->at, "expected an integer");
        return;
    }
    frame->count += child->kind == CST_DIMENSION;
    if (frame->flag && (child->kind == CST_DIMENSION || child->field == CST_FIELD_VALUE))
        strict_complain(strict, child->at, "expected ',' or ';' after the count of registers");
}

static void in_size(struct strict *strict, struct strict_frame *frame,
                    const struct strict_child *child)
{
    if (child->field != CST_FIELD_SIZE && child->field != CST_FIELD_VALUE) return;
    frame->flag = true;
    if (!strict_is_constant(child))
        strict_complain(strict, child->at, "expected an integer: a size cannot be an expression");
}

static void end_size(struct strict *strict, struct strict_frame *frame)
{
    struct strict_frame *above = strict_above(frame);
    if (!frame->flag && above->kind == CST_DECLARATOR && above->count > 1)
        strict_complain(strict, frame->start, "expected a size: only the first may be left out");
}

static void in_mask(struct strict *strict, struct strict_frame *frame,
                    const struct strict_child *child)
{
    (void)frame;
    if (child->field == CST_FIELD_ARGUMENT &&
        (child->kind == CST_INITIALIZER_LIST || child->kind == CST_MASK_EXPRESSION))
        strict_complain(strict, child->at, "expected a symbol or a constant after a mask");
}

static void in_generic(struct strict *strict, struct strict_frame *frame,
                       const struct strict_child *child)
{
    (void)frame;
    if (child->field == CST_FIELD_FUNCTION && !str_is(child->text, "generic"))
        strict_complain(strict, child->at, "expected 'generic'");
    if (child->field == CST_FIELD_ARGUMENT && child->kind != CST_IDENTIFIER)
        strict_complain(strict, child->at, "expected a symbol in 'generic()'");
}

/* An initial value may be a name, but a name must not be in an expression: see in_expression. */
static void in_attribute(struct strict *strict, struct strict_frame *frame,
                         const struct strict_child *child)
{
    if (child->field == CST_FIELD_NAME) frame->word = child->text;
    if (child->field != CST_FIELD_ARGUMENT) return;
    frame->count++;
    if (!strict_is_constant(child)) strict_complain(strict, child->at, "expected an integer");
}

static void end_attribute(struct strict *strict, struct strict_frame *frame)
{
    enum { UNIFIED = 2 };
    bool known = (str_is(frame->word, ".managed") && !frame->count) ||
                 (str_is(frame->word, ".unified") && frame->count == UNIFIED);
    if (!known && !strict->is_newer)
        strict_complain(strict, frame->start, "expected '.managed' or '.unified(1, 2)'");
}

strict_rule *strict_declaration_rule(enum cst_kind kind)
{
    switch (kind) {
    case CST_ALIGNMENT:
    case CST_DIMENSION: return in_size;
    case CST_ATTRIBUTE: return in_attribute;
    case CST_DECLARATOR: return in_declarator;
    case CST_GENERIC_EXPRESSION: return in_generic;
    case CST_MASK_EXPRESSION: return in_mask;
    case CST_PARAMETER:
    case CST_VARIABLE_DECLARATION: return in_declaration;
    case CST_POINTER_ATTRIBUTE: return in_pointer;
    default: return NULL;
    }
}

strict_end *strict_declaration_end(enum cst_kind kind)
{
    switch (kind) {
    case CST_ATTRIBUTE: return end_attribute;
    case CST_DIMENSION: return end_size;
    case CST_PARAMETER:
    case CST_VARIABLE_DECLARATION: return end_declaration;
    default: return NULL;
    }
}
