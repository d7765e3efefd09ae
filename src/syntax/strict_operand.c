/* Refuses operands and constant expressions that the grammar accepts and ptxas does not. */
#include "syntax/strict_rule.h"
#include "syntax/strict_word.h"

static bool is_named_operand(const struct strict_child *child)
{
    return child->kind == CST_IDENTIFIER && !strict_is_constant(child);
}

/* The grammar reads `-WARP_SZ` as a negated name. */
static bool is_constant_negated(const struct strict_child *child)
{
    static const char NAME[] = "WARP_SZ";
    size_t n = sizeof NAME - 1;
    return child->text.n > n && memcmp(child->text.p + child->text.n - n, NAME, n) == 0;
}

static bool is_exact_float(const struct strict_child *child)
{
    return child->kind == CST_FLOAT && child->text.n > 1 && strchr("fFdD", child->text.p[1]);
}

/* ---- constant expressions ---- */

/* In debug data, a difference must be of two labels. */
static void check_difference(struct strict *strict, const struct strict_child *child)
{
    bool side = child->field == CST_FIELD_LEFT || child->field == CST_FIELD_RIGHT;
    if (side && child->kind != CST_IDENTIFIER)
        strict_complain(strict, child->at, "expected a label on both sides of '-'");
}

static void in_expression(struct strict *strict, struct strict_frame *frame,
                          const struct strict_child *child)
{
    if (strict_above(frame)->kind == CST_DEBUG_DATA)
        check_difference(strict, child);
    else if (is_named_operand(child))
        strict_complain(strict, child->at,
                        "expected a constant expression: a name is allowed only before '+'");
    else if (is_exact_float(child) && frame->kind != CST_PARENTHESIZED_EXPRESSION)
        strict_complain(strict, child->at,
                        "expected '(' in front of a 0f or 0d number that is part of an expression");
    else if (child->kind == CST_TYPE && !strict_is_type(child->text) && !strict->is_newer)
        strict_complain(strict, child->at, "expected '.s64' or '.u64'");
}

static void in_symbol_offset(struct strict *strict, struct strict_frame *frame,
                             const struct strict_child *child)
{
    (void)frame;
    if (child->field == CST_FIELD_OFFSET && is_named_operand(child))
        strict_complain(strict, child->at, "expected a constant after '+'");
}

static void in_negation(struct strict *strict, struct strict_frame *frame,
                        const struct strict_child *child)
{
    if (child->field == CST_FIELD_OPERATOR) frame->word = child->text;
    if (child->field != CST_FIELD_ARGUMENT || strict_is_constant(child)) return;
    if (str_is(frame->word, "~"))
        strict_complain(strict, child->at, "expected a constant after '~'");
    else if (str_is(frame->word, "!") && child->kind == CST_MEMBER)
        strict_complain(strict, child->at, "expected a predicate after '!'");
}

/* ---- operands inside others ---- */

static bool is_simple(const struct strict_child *child)
{
    switch (child->kind) {
    case CST_ADDRESS:
    case CST_PAIR:
    case CST_SUBSCRIPT:
    case CST_SYMBOL_OFFSET:
    case CST_VECTOR: return false;
    case CST_NEGATION: return is_constant_negated(child);
    default: return true;
    }
}

static void in_vector(struct strict *strict, struct strict_frame *frame,
                      const struct strict_child *child)
{
    (void)frame;
    if (!is_simple(child))
        strict_complain(strict, child->at, "expected a register or a constant in '{}'");
}

static void in_arguments(struct strict *strict, struct strict_frame *frame,
                         const struct strict_child *child)
{
    (void)frame;
    if (!is_simple(child) || child->kind == CST_MEMBER)
        strict_complain(strict, child->at, "expected a variable or a constant as argument");
}

static void in_subscript(struct strict *strict, struct strict_frame *frame,
                         const struct strict_child *child)
{
    (void)frame;
    if (child->field != CST_FIELD_INDEX) return;
    bool fits = child->kind == CST_SYMBOL_OFFSET ||
                (is_simple(child) && child->kind != CST_MEMBER && child->kind != CST_SINK);
    if (!fits) strict_complain(strict, child->at, "expected a register or a constant as index");
}

static void in_member(struct strict *strict, struct strict_frame *frame,
                      const struct strict_child *child)
{
    (void)frame;
    if (child->kind == CST_SELECTOR && !strict_is_selector(child->text))
        strict_complain(strict, child->at, "expected '.x', '.y', '.z' or '.w', or a ','");
}

static void in_pair(struct strict *strict, struct strict_frame *frame,
                    const struct strict_child *child)
{
    bool first = child->kind != CST_OTHER && !frame->count++;
    if (first) frame->flag = child->kind == CST_SINK || child->kind == CST_VECTOR;
    if (!first && child->kind == CST_SINK && frame->flag)
        strict_complain(strict, child->at, "expected a predicate after '|'");
}

/* ---- addresses ---- */

/* frame->count is a 1 followed by a bit for each coordinate, which is set for coordinates in '{}'.
 */
static void check_coordinate(struct strict *strict, struct strict_frame *frame,
                             const struct strict_child *child)
{
    enum { MOST = 1 << 20 };
    bool vector = child->kind == CST_VECTOR;
    if (!vector && child->kind != CST_IDENTIFIER)
        strict_complain(strict, child->at, "expected a register or coordinates in '{}'");
    else if (frame->flag)
        strict_complain(strict, child->at, "expected ']': an offset has no coordinates after it");
    if (!frame->count) frame->count = 1;
    if (frame->count < MOST) frame->count = frame->count * 2 + vector;
}

/* Accepts `[t, x]`, `[t, {x}]`, `[t, s, x]`, `[t, s, {x}]` and the overrides of PTX 9.4. */
static void end_address(struct strict *strict, struct strict_frame *frame)
{
    static const uint32_t SHAPES[] = {0, 0x2, 0x3, 0x4, 0x5, 0x9, 0xb, 0x13, 0x2d, 0x4d};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
        if (frame->count == SHAPES[i]) return;
    strict_complain(strict, frame->start, "expected ']' after the coordinates in '{}'");
}

static void in_address(struct strict *strict, struct strict_frame *frame,
                       const struct strict_child *child)
{
    switch (child->field) {
    case CST_FIELD_BASE:
        frame->flag = child->kind != CST_IDENTIFIER;
        if (child->kind == CST_MEMBER || child->kind == CST_SUBSCRIPT)
            strict_complain(strict, child->at, "expected a register, a symbol or a constant");
        break;
    case CST_FIELD_OFFSET:
        frame->flag = true;
        in_symbol_offset(strict, frame, child);
        break;
    case CST_FIELD_COORDINATE: check_coordinate(strict, frame, child); break;
    case CST_FIELD_QUALIFIER:
        if (!str_is(child->text, ".unified") || frame->count)
            strict_complain(strict, child->at, "expected '.unified', or a ','");
        break;
    default: break;
    }
}

/* ---- instructions ---- */

/* Instructions without operands. If an operand follows, a ';' is missing. */
static bool has_no_operand(struct str opcode, struct str modifier)
{
    if (str_is(opcode, "tcgen05"))
        return str_starts(modifier, ".wait::") || str_starts(modifier, ".fence::");
    return str_is(opcode, "ret") || str_is(opcode, "exit") || str_is(opcode, "trap") ||
           str_is(opcode, "brkpt");
}

static void check_modifier(struct strict *strict, struct strict_frame *frame,
                           const struct strict_child *child)
{
    if (!frame->rank++) frame->flag |= has_no_operand(frame->word, child->text);
    if (strict_is_reserved(child->text) || (!strict->is_newer && !strict_is_modifier(child->text)))
        strict_complain(strict, child->at,
                        arena_printf(strict->arena, "'%.*s' is not a modifier", (int)child->text.n,
                                     child->text.p));
}

/* A sink or a pair is a target, and only the first operand is a target. */
static void check_operand(struct strict *strict, struct strict_frame *frame,
                          const struct strict_child *child)
{
    if (frame->flag)
        strict_complain(strict, child->at, "expected ';': the instruction takes no operands");
    else if (frame->count && (child->kind == CST_SINK || child->kind == CST_PAIR))
        strict_complain(strict, child->at,
                        "expected a value: '_' and '|' are of the first operand");
    frame->count++;
}

static void in_instruction(struct strict *strict, struct strict_frame *frame,
                           const struct strict_child *child)
{
    if (child->kind == CST_OPCODE) {
        frame->word = child->text;
        frame->flag = has_no_operand(child->text, (struct str){"", 0});
    }
    if (child->kind == CST_MODIFIER) check_modifier(strict, frame, child);
    if (child->field == CST_FIELD_OPERAND) check_operand(strict, frame, child);
}

strict_rule *strict_operand_rule(enum cst_kind kind)
{
    switch (kind) {
    case CST_ADDRESS: return in_address;
    case CST_ARGUMENT_LIST: return in_arguments;
    case CST_BINARY_EXPRESSION:
    case CST_CAST_EXPRESSION:
    case CST_CONDITIONAL_EXPRESSION:
    case CST_PARENTHESIZED_EXPRESSION:
    case CST_UNARY_EXPRESSION: return in_expression;
    case CST_CALL_INSTRUCTION:
    case CST_INSTRUCTION: return in_instruction;
    case CST_MEMBER: return in_member;
    case CST_NEGATION: return in_negation;
    case CST_PAIR: return in_pair;
    case CST_SUBSCRIPT: return in_subscript;
    case CST_SYMBOL_OFFSET: return in_symbol_offset;
    case CST_VECTOR: return in_vector;
    default: return NULL;
    }
}

strict_end *strict_operand_end(enum cst_kind kind)
{
    return kind == CST_ADDRESS ? end_address : NULL;
}
