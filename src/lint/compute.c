/* What does an instruction make of its arguments? */
#include "lint/compute.h"

#include "lint/instruction.h"

/* Numbers of 32 bits are taken with their sign. */
static int64_t narrow(struct str opcode, int64_t number)
{
    bool wide = opcode.n > 2 && memcmp(opcode.p + opcode.n - 2, "64", 2) == 0;
    return wide ? number : (int64_t)(int32_t)(uint32_t)number;
}

static struct value narrowed(struct str opcode, struct value v)
{
    if (!value_is_none(v)) v.offset = narrow(opcode, v.offset);
    return v;
}

static struct value minus(const struct lint *lint, struct value a, struct value b)
{
    struct exprs *exprs = values_exprs(lint);
    if (b.base) return VALUE_NONE;
    return exprs_sum(exprs, a, exprs_constant(minus_wrapped(0, b.offset)));
}

static struct value times(const struct lint *lint, struct value a, struct value b)
{
    struct exprs *exprs = values_exprs(lint);
    if (!b.base) return exprs_product(exprs, a, b.offset);
    return a.base ? VALUE_NONE : exprs_product(exprs, b, a.offset);
}

static struct value shifted_right(const struct lint *lint, struct str opcode, struct value a,
                                  struct value bits)
{
    bool is_signed = str_starts(opcode, "shr.s");
    if (bits.base || (!a.base && a.offset < 0)) return VALUE_NONE;
    if (is_signed && !value_expr(lint, a)->not_negative && a.base) return VALUE_NONE;
    return exprs_shift_right(values_exprs(lint), a, bits.offset);
}

/* Only constants of both are known to make less than all there is. */
static struct value computed_of_two(const struct lint *lint, struct str opcode, struct value a,
                                    struct value b)
{
    struct exprs *exprs = values_exprs(lint);
    if (str_starts(opcode, "add.") && !instruction_is_float(opcode)) return exprs_sum(exprs, a, b);
    if (str_starts(opcode, "sub.") && !instruction_is_float(opcode)) return minus(lint, a, b);
    if (str_starts(opcode, "mul.lo") || str_starts(opcode, "mul.wide")) return times(lint, a, b);
    if (str_starts(opcode, "shl.") && !b.base && b.offset >= 0 && b.offset < 63)
        return exprs_product(exprs, a, 1LL << b.offset);
    if (str_starts(opcode, "shr.")) return shifted_right(lint, opcode, a, b);
    if (str_starts(opcode, "and.b")) return exprs_and_bits(exprs, a, b);
    if (str_starts(opcode, "or.b")) return exprs_or_bits(exprs, a, b);
    if (str_starts(opcode, "and.pred")) return exprs_both(exprs, a, b);
    if (str_starts(opcode, "or.pred")) return exprs_either(exprs, a, b);
    if (str_starts(opcode, "xor.pred") && !b.base) return b.offset ? exprs_not(a) : a;
    return VALUE_NONE;
}

static bool compares(struct str opcode, const char *how)
{
    size_t n = strlen(how);
    return opcode.n > 5 + n && memcmp(opcode.p + 5, how, n) == 0 && opcode.p[5 + n] == '.';
}

/* setp.CMP.type p, a, b. */
static struct value compared(const struct lint *lint, struct str opcode, struct value a,
                             struct value b)
{
    struct exprs *exprs = values_exprs(lint);
    size_t last = opcode.n;
    while (last && opcode.p[last - 1] != '.') last--;
    if (last == opcode.n || opcode.p[last] == 'f') return VALUE_NONE;
    enum expr_kind less = opcode.p[last] == 's' ? EXPR_LT_S : EXPR_LT_U;
    if (compares(opcode, "eq")) return exprs_compare(exprs, EXPR_EQ, a, b);
    if (compares(opcode, "ne")) return exprs_not(exprs_compare(exprs, EXPR_EQ, a, b));
    if (compares(opcode, "lt") || compares(opcode, "lo")) return exprs_compare(exprs, less, a, b);
    if (compares(opcode, "ge") || compares(opcode, "hs"))
        return exprs_not(exprs_compare(exprs, less, a, b));
    if (compares(opcode, "gt") || compares(opcode, "hi")) return exprs_compare(exprs, less, b, a);
    if (compares(opcode, "le") || compares(opcode, "ls"))
        return exprs_not(exprs_compare(exprs, less, b, a));
    return VALUE_NONE;
}

/* One that compares, and takes another predicate in. */
static struct value computed_predicate(const struct lint *lint, uint32_t instr, struct str opcode,
                                       const struct value *a)
{
    struct exprs *exprs = values_exprs(lint);
    struct value result = compared(lint, opcode, a[0], a[1]);
    uint32_t count = lint->function->instrs[instr].operand_count;
    if (count == 3) return result;
    if (instruction_has(lint, instr, ".and")) return exprs_both(exprs, result, a[2]);
    if (instruction_has(lint, instr, ".or")) return exprs_either(exprs, result, a[2]);
    return VALUE_NONE;
}

/* The arguments are there, and this is what it makes of them. */
static struct value computed_of(const struct lint *lint, uint32_t instr, struct str opcode,
                                const struct value *a, uint32_t count)
{
    struct exprs *exprs = values_exprs(lint);
    struct value result = VALUE_NONE;
    bool one = count == 1;
    if (str_starts(opcode, "setp.")) return computed_predicate(lint, instr, opcode, a);
    if (str_starts(opcode, "mov.") && one) return a[0];
    if (str_starts(opcode, "cvta.") && one) return a[0];
    if (str_starts(opcode, "cvt.") && one && !instruction_is_float(opcode) &&
        !memmem(opcode.p, opcode.n, "16", 2) && !memmem(opcode.p, opcode.n, "8", 1))
        return a[0];
    if (str_starts(opcode, "mapa.") && count == 2)
        return exprs_operation(exprs, SPELLING_MAPPED, a, count);
    if (str_starts(opcode, "not.pred") && one) return exprs_not(a[0]);
    if (str_starts(opcode, "selp.") && count == 3) return exprs_select(exprs, a[0], a[1], a[2]);
    if (str_starts(opcode, "mad.lo") && count == 3)
        result = exprs_sum(exprs, times(lint, a[0], a[1]), a[2]);
    if (count == 2) result = computed_of_two(lint, opcode, a[0], a[1]);
    if (value_is_none(result) && count <= 3)
        result = exprs_operation(exprs, lint->function->instrs[instr].spelling, a, count);
    return result;
}

struct value compute(const struct lint *lint, uint32_t instr, const struct value *a, uint32_t count)
{
    struct str opcode = instruction_opcode(lint, instr);
    struct value v = computed_of(lint, instr, opcode, a, count);
    return instruction_sets_predicate(lint, instr) ? v : narrowed(opcode, v);
}
