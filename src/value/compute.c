/* Computes what an instruction makes of its arguments, by its opcode. See compute.h. */
#include "value/compute.h"

#include "value/instruction.h"

/* Numbers of 32 bits are taken with their sign. */
static int64_t narrow_number(struct str opcode, int64_t number)
{
    bool wide = opcode.n > 2 && memcmp(opcode.p + opcode.n - 2, "64", 2) == 0;
    return wide ? number : (int64_t)(int32_t)(uint32_t)number;
}

static struct value narrow_value(struct str opcode, struct value v)
{
    if (!value_is_none(v)) v.offset = narrow_number(opcode, v.offset);
    return v;
}

/* Some type in it is a floating-point one. */
static bool names_float(struct str opcode)
{
    static const char *const types[] = {".f16", ".f32", ".f64", ".bf16", ".tf32", ".e", ".ue"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (memmem(opcode.p, opcode.n, types[i], strlen(types[i]))) return true;
    return false;
}

/* Arithmetic of 32 or 64 bits that wraps: not of halves, of pairs of them, or that saturates. */
static bool is_wrapping_integer(struct str opcode)
{
    size_t type = opcode.n;
    while (type && opcode.p[type - 1] != '.') type--;
    struct str width = {opcode.p + type + (type < opcode.n), opcode.n - type - (type < opcode.n)};
    return (str_is(width, "32") || str_is(width, "64")) && !names_float(opcode) &&
           !memmem(opcode.p, opcode.n, ".sat", 4);
}

/* What is added with a carry that no operand names. */
static bool reads_carry(struct str opcode)
{
    return str_starts(opcode, "addc.") || str_starts(opcode, "subc.") ||
           str_starts(opcode, "madc.");
}

static struct value subtract_values(struct exprs *exprs, struct value a, struct value b)
{
    if (b.base) return VALUE_NONE;
    return exprs_sum(exprs, a, exprs_constant(minus_wrapped(0, b.offset)));
}

static struct value multiply_values(struct exprs *exprs, struct value a, struct value b)
{
    if (!b.base) return exprs_product(exprs, a, b.offset);
    return a.base ? VALUE_NONE : exprs_product(exprs, b, a.offset);
}

static struct value shifted_right(struct exprs *exprs, struct str opcode, struct value a,
                                  struct value bits)
{
    bool is_signed = str_starts(opcode, "shr.s");
    if (bits.base || (!a.base && a.offset < 0)) return VALUE_NONE;
    if (is_signed && !exprs_row(exprs, a)->not_negative && a.base) return VALUE_NONE;
    return exprs_shift_right(exprs, a, bits.offset);
}

/* Only constants of both are known to make less than all there is. */
static struct value computed_of_two(struct exprs *exprs, struct str opcode, struct value a,
                                    struct value b)
{
    if (str_starts(opcode, "and.pred")) return exprs_both(exprs, a, b);
    if (str_starts(opcode, "or.pred")) return exprs_either(exprs, a, b);
    if (str_starts(opcode, "xor.pred") && !b.base) return b.offset ? exprs_not(a) : a;
    if (str_starts(opcode, "and.b")) return exprs_and_bits(exprs, a, b);
    if (str_starts(opcode, "or.b")) return exprs_or_bits(exprs, a, b);
    if (str_starts(opcode, "shr.")) return shifted_right(exprs, opcode, a, b);
    bool shifts = str_starts(opcode, "shl.");
    bool adds = str_starts(opcode, "add."), subtracts = str_starts(opcode, "sub.");
    bool multiplies = str_starts(opcode, "mul.lo") || str_starts(opcode, "mul.wide");
    if (!adds && !subtracts && !multiplies && !shifts) return VALUE_NONE;
    if (!is_wrapping_integer(opcode)) return VALUE_NONE;
    if (adds) return exprs_sum(exprs, a, b);
    if (subtracts) return subtract_values(exprs, a, b);
    if (multiplies) return multiply_values(exprs, a, b);
    if (!b.base && b.offset >= 0 && b.offset < 63)
        return exprs_product(exprs, a, (int64_t)1 << b.offset);
    return VALUE_NONE;
}

static bool setp_compares(struct str opcode, const char *how)
{
    size_t n = strlen(how);
    return opcode.n > 5 + n && memcmp(opcode.p + 5, how, n) == 0 && opcode.p[5 + n] == '.';
}

/* A constant of 32 bits as the comparison sees it, however it is spelled: 0xffffffff is -1, but
 * where numbers without sign are ordered. */
static struct value as_compared(struct str opcode, struct value v, bool by_unsigned_order)
{
    bool narrow_type = opcode.n > 2 && memcmp(opcode.p + opcode.n - 2, "32", 2) == 0;
    if (v.base || !narrow_type) return v;
    v.offset = by_unsigned_order ? (int64_t)(uint32_t)v.offset : (int64_t)(int32_t)v.offset;
    return v;
}

/* setp.CMP.type p, a, b. */
static struct value compute_setp(struct exprs *exprs, struct str opcode, struct value a,
                                 struct value b)
{
    size_t last = opcode.n;
    while (last && opcode.p[last - 1] != '.') last--;
    if (last == opcode.n || instruction_is_float(opcode)) return VALUE_NONE;
    enum expr_kind less = opcode.p[last] == 's' ? EXPR_LT_S : EXPR_LT_U;
    bool equality = setp_compares(opcode, "eq") || setp_compares(opcode, "ne");
    a = as_compared(opcode, a, !equality && less == EXPR_LT_U);
    b = as_compared(opcode, b, !equality && less == EXPR_LT_U);
    if (setp_compares(opcode, "eq")) return exprs_compare(exprs, EXPR_EQ, a, b);
    if (setp_compares(opcode, "ne")) return exprs_not(exprs_compare(exprs, EXPR_EQ, a, b));
    if (setp_compares(opcode, "lt") || setp_compares(opcode, "lo"))
        return exprs_compare(exprs, less, a, b);
    if (setp_compares(opcode, "ge") || setp_compares(opcode, "hs"))
        return exprs_not(exprs_compare(exprs, less, a, b));
    if (setp_compares(opcode, "gt") || setp_compares(opcode, "hi"))
        return exprs_compare(exprs, less, b, a);
    if (setp_compares(opcode, "le") || setp_compares(opcode, "ls"))
        return exprs_not(exprs_compare(exprs, less, b, a));
    return VALUE_NONE;
}

/* One that compares, and takes another predicate in. */
static struct value computed_predicate(struct exprs *exprs, const struct subject *subject,
                                       uint32_t instr, struct str opcode, const struct value *a)
{
    struct value result = compute_setp(exprs, opcode, a[0], a[1]);
    uint32_t count = subject->function->instrs[instr].operand_count;
    if (count == 3) return result;
    if (instruction_has(subject, instr, ".and")) return exprs_both(exprs, result, a[2]);
    if (instruction_has(subject, instr, ".or")) return exprs_either(exprs, result, a[2]);
    return VALUE_NONE;
}

/* xor, division and similar operations on constants of 32 bits or more; VALUE_NONE for the rest. */
static struct value computed_of_constants(struct str opcode, const struct value *a, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        if (a[n].base) return VALUE_NONE;
    if (!count || names_float(opcode)) return VALUE_NONE;
    int64_t x = a[0].offset, y = count > 1 ? a[1].offset : 0;
    bool divides = count == 2 && x >= 0 && y > 0;
    if (str_starts(opcode, "xor.b32") || str_starts(opcode, "xor.b64"))
        return exprs_constant(x ^ y);
    if (str_starts(opcode, "or.b32") || str_starts(opcode, "or.b64")) return exprs_constant(x | y);
    if (str_starts(opcode, "not.b32") || str_starts(opcode, "not.b64")) return exprs_constant(~x);
    if (divides && (str_starts(opcode, "div.u") || str_starts(opcode, "div.s")))
        return exprs_constant(x / y);
    if (divides && (str_starts(opcode, "rem.u") || str_starts(opcode, "rem.s")))
        return exprs_constant(x % y);
    if (divides && str_starts(opcode, "min.")) return exprs_constant(x < y ? x : y);
    if (divides && str_starts(opcode, "max.")) return exprs_constant(x > y ? x : y);
    if (str_starts(opcode, "bfe.u32") && count == 3 && x >= 0 && y >= 0 && y < 32 &&
        a[2].offset >= 0 && a[2].offset < 32)
        return exprs_constant((x >> y) & (((int64_t)1 << a[2].offset) - 1));
    return VALUE_NONE;
}

/* The arguments are known, and this is the result. */
static struct value computed_of(struct exprs *exprs, const struct subject *subject, uint32_t instr,
                                struct str opcode, const struct value *a, uint32_t count)
{
    struct value result = VALUE_NONE;
    bool one = count == 1;
    if (reads_carry(opcode)) return VALUE_NONE;
    if (str_starts(opcode, "setp.")) return computed_predicate(exprs, subject, instr, opcode, a);
    if (str_starts(opcode, "mov.") && one) return a[0];
    if (str_starts(opcode, "cvta.") && one) return a[0];
    if (str_starts(opcode, "cvt.") && one && !names_float(opcode) &&
        !memmem(opcode.p, opcode.n, "16", 2) && !memmem(opcode.p, opcode.n, "8", 1))
        return a[0];
    if (str_starts(opcode, "mapa.") && count == 2)
        return exprs_operation(exprs, SPELLING_MAPPED, a, count);
    if (str_starts(opcode, "not.pred") && one) return exprs_not(a[0]);
    if (str_starts(opcode, "selp.") && count == 3) return exprs_select(exprs, a[0], a[1], a[2]);
    if (str_starts(opcode, "mad.lo") && count == 3 && is_wrapping_integer(opcode))
        result = exprs_sum(exprs, multiply_values(exprs, a[0], a[1]), a[2]);
    if (count == 2) result = computed_of_two(exprs, opcode, a[0], a[1]);
    if (value_is_none(result)) result = computed_of_constants(opcode, a, count);
    if (value_is_none(result) && count <= 3)
        result = exprs_operation(exprs, subject->function->instrs[instr].spelling, a, count);
    return result;
}

struct value compute_instruction(struct exprs *exprs, const struct subject *subject, uint32_t instr,
                                 const struct value *a, uint32_t count)
{
    struct str opcode = instruction_opcode(subject, instr);
    struct value v = computed_of(exprs, subject, instr, opcode, a, count);
    return instruction_sets_predicate(subject, instr) ? v : narrow_value(opcode, v);
}
