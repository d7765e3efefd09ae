/* Computes the parity of a wait in the first iteration. See first_round.h. */
#include "lint/first_round.h"

#include "value/expr.h"
#include "value/instruction.h"
#include "value/values.h"

enum { DEPTH_MAX = 24, NUMBER_UNKNOWN = INT32_MIN };

static int64_t number_at_first(const struct lint *lint, struct value v, uint32_t depth);

/* The only constant among the definitions of the register: its value when a loop begins. */
static int64_t register_at_first(const struct lint *lint, uint32_t web)
{
    const struct subject *subject = lint->subject;
    int64_t number = NUMBER_UNKNOWN;
    for (uint32_t u = value_last_write(subject, web); u != NO_WRITE;
         u = value_write_before(subject, u)) {
        struct value v = value_computed(subject, value_write_instr(subject, u));
        lint_spend(lint, 1);
        if (value_is_none(v)) return NUMBER_UNKNOWN;
        if (!value_is_constant(v)) continue;
        if (number != NUMBER_UNKNOWN && number != v.offset) return NUMBER_UNKNOWN;
        number = v.offset;
    }
    return number;
}

static int64_t operation_at_first(const struct lint *lint, const struct expr *e, uint32_t depth)
{
    int64_t a = number_at_first(lint, e->a[0], depth), b = number_at_first(lint, e->a[1], depth);
    if (a == NUMBER_UNKNOWN || b == NUMBER_UNKNOWN) return NUMBER_UNKNOWN;
    if (e->kind == EXPR_SUM) return plus_wrapped(a, b);
    if (e->kind == EXPR_PRODUCT) return times_wrapped(a, b);
    if (e->kind != EXPR_OP || e->spelling == SPELLING_MAPPED) return NUMBER_UNKNOWN;
    if (e->spelling == SPELLING_AND) return a & b;
    if (e->spelling == SPELLING_SHIFT_RIGHT) return a >= 0 ? a >> (b & 63) : NUMBER_UNKNOWN;
    struct str opcode = lint->subject->spelled[e->spelling]->opcode;
    if (str_starts(opcode, "xor.b")) return a ^ b;
    if (str_starts(opcode, "or.b")) return a | b;
    if (str_starts(opcode, "sub.")) return minus_wrapped(a, b);
    if (str_starts(opcode, "not.b")) return ~a;
    if (str_starts(opcode, "mul.hi.")) return !a || !b ? 0 : NUMBER_UNKNOWN;
    if (str_starts(opcode, "div.")) return a >= 0 && b > 0 ? a / b : NUMBER_UNKNOWN;
    if (str_starts(opcode, "rem.")) return a >= 0 && b > 0 ? a % b : NUMBER_UNKNOWN;
    return NUMBER_UNKNOWN;
}

/* The value of v in the first iteration of all loops around it; NUMBER_UNKNOWN if that is not
 * known. */
static int64_t number_at_first(const struct lint *lint, struct value v, uint32_t depth)
{
    if (value_is_none(v) || depth > DEPTH_MAX) return NUMBER_UNKNOWN;
    if (value_is_constant(v)) return v.offset;
    const struct expr e = *value_expr(lint->subject, v);
    int64_t number = NUMBER_UNKNOWN;
    lint_spend(lint, 1);
    if (e.kind == EXPR_REG)
        number = register_at_first(lint, e.web);
    else if (e.kind == EXPR_SUM || e.kind == EXPR_PRODUCT || e.kind == EXPR_OP)
        number = operation_at_first(lint, &e, depth + 1);
    return number == NUMBER_UNKNOWN ? number : plus_wrapped(number, v.offset);
}

int first_round_parity(const struct lint *lint, uint32_t wait)
{
    if (!instruction_has(lint->subject, wait, ".parity")) return -1;
    int64_t parity = number_at_first(lint, value_of_operand(lint->subject, wait, 2), 0);
    return parity == NUMBER_UNKNOWN ? -1 : (int)(parity & 1);
}

bool first_round_passes(const struct lint *lint, uint32_t wait)
{
    return first_round_parity(lint, wait) == 1;
}

/* Each round of the loop sets the register to a constant before it comes to the wait. */
static bool is_set_ahead(const struct lint *lint, uint32_t web, uint32_t wait, const bool *loop)
{
    const struct subject *subject = lint->subject;
    const struct dominators *dominators = subject_dominators(lint->subject);
    const uint32_t *block_of = lint->cfg->block_of;
    for (uint32_t u = value_last_write(subject, web); u != NO_WRITE;
         u = value_write_before(subject, u)) {
        uint32_t write = value_write_instr(subject, u);
        lint_spend(lint, 1);
        if (loop[block_of[write]] && lint->function->instrs[write].guard == REG_NONE &&
            value_is_constant(value_computed(subject, write)) &&
            dominators_have(dominators, block_of[write], block_of[wait]))
            return true;
    }
    return false;
}

bool first_round_begins_anew(const struct lint *lint, const struct barrier_use *wait,
                             const bool *loop)
{
    uint32_t terms[EXPR_TERMS_MAX];
    if (value_is_none(wait->address)) return false;
    uint32_t count = exprs_terms(values_exprs(lint->subject), wait->address.base, terms);
    for (uint32_t i = 0; i < count; i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){terms[i], 0});
        if (e->kind == EXPR_PRODUCT) e = value_expr(lint->subject, e->a[0]);
        if (e->kind == EXPR_REG && is_set_ahead(lint, e->web, wait->instr, loop)) return true;
    }
    return false;
}
