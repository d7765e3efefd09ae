/* Computes the result of an instruction from its arguments, by its opcode. See compute.h. */
#include "value/compute.h"

#include "value/instruction.h"

/* 32-bit numbers are kept sign-extended. */
static struct value narrow_value(const struct arithmetic *how, struct value v)
{
    if (!value_is_none(v) && !how->wide) v.offset = (int64_t)(int32_t)(uint32_t)v.offset;
    return v;
}

/* ---- reading opcodes ---- */

/* The opcode has a floating-point type. */
static bool names_float(struct str opcode)
{
    static const char *const types[] = {"f16", "f32", "f64", "bf16", "tf32", "e", "ue"};
    for (size_t at = 1; at < opcode.n; at++) {
        struct str word = {opcode.p + at, opcode.n - at};
        for (size_t i = 0; opcode.p[at - 1] == '.' && i < sizeof types / sizeof *types; i++)
            if (str_starts(word, types[i])) return true;
    }
    return false;
}

/* The text after the last dot. */
static struct str last_word(struct str opcode)
{
    size_t last = opcode.n;
    while (last && opcode.p[last - 1] != '.') last--;
    return last ? (struct str){opcode.p + last, opcode.n - last} : (struct str){"", 0};
}

/* The opcode is for 32-bit or 64-bit integers that wrap: not for halves or packed pairs, and not
 * saturating. */
static bool is_wrapping_integer(struct str opcode)
{
    struct str type = last_word(opcode);
    struct str width = {type.p + (type.n != 0), type.n - (type.n != 0)};
    return (str_is(width, "32") || str_is(width, "64")) && !names_float(opcode) &&
           !memmem(opcode.p, opcode.n, ".sat", 4);
}

/* The opcode converts an integer to one of at least 32 bits. */
static bool is_whole_conversion(struct str opcode)
{
    return !names_float(opcode) && !memmem(opcode.p, opcode.n, "16", 2) &&
           !memmem(opcode.p, opcode.n, "8", 1);
}

/* An opcode with that beginning has that operation. */
struct beginning {
    const char *text;
    uint8_t operation;
    bool wraps;        /* only if is_wrapping_integer */
    bool of_constants; /* for integers: see struct arithmetic */
};

static const struct beginning *find_beginning(struct str opcode)
{
    static const struct beginning all[] = {
        /* these add a carry that no operand names */
        {"addc.", OPERATION_NONE, false, false},
        {"subc.", OPERATION_NONE, false, false},
        {"madc.", OPERATION_NONE, false, false},
        {"setp.", OPERATION_COMPARE, false, false},
        {"mov.", OPERATION_COPY, false, false},
        {"cvta.", OPERATION_COPY, false, false},
        {"mapa.", OPERATION_MAP, false, false},
        {"not.pred", OPERATION_NOT, false, false},
        {"and.pred", OPERATION_BOTH, false, false},
        {"or.pred", OPERATION_EITHER, false, false},
        {"xor.pred", OPERATION_XOR, false, false},
        {"selp.", OPERATION_SELECT, false, false},
        {"mad.lo", OPERATION_MULTIPLY_ADD, true, false},
        {"add.", OPERATION_ADD, true, false},
        {"sub.", OPERATION_SUBTRACT, true, false},
        {"neg.", OPERATION_NEGATE, true, false},
        {"mul.lo", OPERATION_MULTIPLY, true, false},
        {"mul.wide", OPERATION_MULTIPLY, true, false},
        {"mul.hi.u32", OPERATION_MULTIPLY_HIGH, false, true},
        {"mul.hi.s32", OPERATION_MULTIPLY_HIGH, false, true},
        {"shl.", OPERATION_SHIFT_LEFT, true, false},
        {"shr.", OPERATION_SHIFT_RIGHT, false, false},
        {"and.b", OPERATION_AND_BITS, false, false},
        {"or.b32", OPERATION_OR_BITS, false, true},
        {"or.b64", OPERATION_OR_BITS, false, true},
        {"or.b", OPERATION_OR_BITS, false, false},
        {"xor.b32", OPERATION_XOR_BITS, false, true},
        {"xor.b64", OPERATION_XOR_BITS, false, true},
        {"not.b32", OPERATION_NOT_BITS, false, true},
        {"not.b64", OPERATION_NOT_BITS, false, true},
        {"div.u", OPERATION_DIVIDE, false, true},
        {"div.s", OPERATION_DIVIDE, false, true},
        {"rem.u", OPERATION_REMAINDER, false, true},
        {"rem.s", OPERATION_REMAINDER, false, true},
        {"min.", OPERATION_LEAST, false, true},
        {"max.", OPERATION_GREATEST, false, true},
        {"bfe.u32", OPERATION_FIELD, false, true},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (opcode.n && opcode.p[0] == all[i].text[0] && str_starts(opcode, all[i].text))
            return &all[i];
    return NULL;
}

static enum operation operation_of(const struct spelled *spelled, bool *of_constants)
{
    struct str opcode = spelled->opcode, base = spelled->base;
    *of_constants = false;
    if (str_is(base, "elect")) return OPERATION_ELECT;
    if (str_is(base, "shfl")) return OPERATION_SHUFFLE;
    if (str_is(base, "ld") || str_is(base, "ldu")) return OPERATION_LOAD;
    if (str_starts(opcode, "cvt."))
        return is_whole_conversion(opcode) ? OPERATION_COPY : OPERATION_OTHER;
    const struct beginning *beginning = find_beginning(opcode);
    if (!beginning || (beginning->wraps && !is_wrapping_integer(opcode))) return OPERATION_OTHER;
    *of_constants = beginning->of_constants && !names_float(opcode);
    return (enum operation)beginning->operation;
}

static bool setp_compares(struct str opcode, const char *how)
{
    size_t n = strlen(how);
    return opcode.n > 5 + n && memcmp(opcode.p + 5, how, n) == 0 && opcode.p[5 + n] == '.';
}

/* The comparison of setp.CMP.type for integers. */
static enum comparison comparison_of(struct str opcode)
{
    static const struct {
        const char *text;
        enum comparison comparison;
    } all[] = {{"eq", COMPARES_EQ}, {"ne", COMPARES_NE}, {"lt", COMPARES_LT}, {"lo", COMPARES_LT},
               {"ge", COMPARES_GE}, {"hs", COMPARES_GE}, {"gt", COMPARES_GT}, {"hi", COMPARES_GT},
               {"le", COMPARES_LE}, {"ls", COMPARES_LE}};
    if (!last_word(opcode).n || instruction_is_float(opcode)) return COMPARES_OTHERWISE;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (setp_compares(opcode, all[i].text)) return all[i].comparison;
    return COMPARES_OTHERWISE;
}

static bool ends_with(struct str opcode, const char *two)
{
    return opcode.n > 2 && memcmp(opcode.p + opcode.n - 2, two, 2) == 0;
}

const struct arithmetic *compute_read_text(struct spelled *spelled)
{
    static const struct arithmetic no_text = {.operation = OPERATION_OTHER};
    if (!spelled) return &no_text;
    struct str opcode = spelled->opcode, type = last_word(opcode);
    struct arithmetic how = {.wide = ends_with(opcode, "64"), .narrow = ends_with(opcode, "32")};
    how.operation = (uint8_t)operation_of(spelled, &how.of_constants);
    how.predicate = str_is(spelled->base, "setp") || spelled_has(spelled, ".pred", strlen(".pred"));
    if (how.operation == OPERATION_COMPARE) {
        how.comparison = (uint8_t)comparison_of(opcode);
        how.is_signed = type.n && type.p[0] == 's';
    }
    if (how.operation == OPERATION_SHIFT_RIGHT) how.is_signed = str_starts(opcode, "shr.s");
    if (how.operation == OPERATION_MULTIPLY_HIGH) how.is_signed = str_starts(opcode, "mul.hi.s");
    spelled->arithmetic = how;
    return &spelled->arithmetic;
}

/* ---- computation ---- */

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

static struct value shifted_right(struct exprs *exprs, const struct arithmetic *how, struct value a,
                                  struct value bits)
{
    if (bits.base || (!a.base && a.offset < 0)) return VALUE_NONE;
    if (how->is_signed && !exprs_row(exprs, a)->not_negative && a.base) return VALUE_NONE;
    return exprs_shift_right(exprs, a, bits.offset);
}

/* The result for two arguments. For some operations it is known only if both are constants. */
static struct value computed_of_two(struct exprs *exprs, const struct arithmetic *how,
                                    struct value a, struct value b)
{
    switch ((enum operation)how->operation) {
    case OPERATION_BOTH: return exprs_both(exprs, a, b);
    case OPERATION_EITHER: return exprs_either(exprs, a, b);
    case OPERATION_XOR: return b.base ? VALUE_NONE : b.offset ? exprs_not(a) : a;
    case OPERATION_AND_BITS: return exprs_and_bits(exprs, a, b);
    case OPERATION_OR_BITS: return exprs_or_bits(exprs, a, b);
    case OPERATION_SHIFT_RIGHT: return shifted_right(exprs, how, a, b);
    case OPERATION_ADD: return exprs_sum(exprs, a, b);
    case OPERATION_SUBTRACT: return subtract_values(exprs, a, b);
    case OPERATION_MULTIPLY: return multiply_values(exprs, a, b);
    case OPERATION_SHIFT_LEFT:
        if (b.base || b.offset < 0 || b.offset >= 63) return VALUE_NONE;
        return exprs_product(exprs, a, (int64_t)1 << b.offset);
    default: return VALUE_NONE;
    }
}

/* A 32-bit constant in the form in which the comparison sees it, however it is written: 0xffffffff
 * is -1, except in an unsigned order. */
static struct value as_compared(const struct arithmetic *how, struct value v,
                                bool by_unsigned_order)
{
    if (v.base || !how->narrow) return v;
    v.offset = by_unsigned_order ? (int64_t)(uint32_t)v.offset : (int64_t)(int32_t)v.offset;
    return v;
}

/* The result of setp.CMP.type p, a, b. */
static struct value compute_setp(struct exprs *exprs, const struct arithmetic *how, struct value a,
                                 struct value b)
{
    enum comparison comparison = (enum comparison)how->comparison;
    enum expr_kind less = how->is_signed ? EXPR_LT_S : EXPR_LT_U;
    bool equality = comparison == COMPARES_EQ || comparison == COMPARES_NE;
    a = as_compared(how, a, !equality && less == EXPR_LT_U);
    b = as_compared(how, b, !equality && less == EXPR_LT_U);
    switch (comparison) {
    case COMPARES_EQ: return exprs_compare(exprs, EXPR_EQ, a, b);
    case COMPARES_NE: return exprs_not(exprs_compare(exprs, EXPR_EQ, a, b));
    case COMPARES_LT: return exprs_compare(exprs, less, a, b);
    case COMPARES_GE: return exprs_not(exprs_compare(exprs, less, a, b));
    case COMPARES_GT: return exprs_compare(exprs, less, b, a);
    case COMPARES_LE: return exprs_not(exprs_compare(exprs, less, b, a));
    case COMPARES_OTHERWISE: break;
    }
    return VALUE_NONE;
}

/* The result of a setp, which may combine the comparison with another predicate. */
static struct value computed_predicate(struct exprs *exprs, const struct subject *subject,
                                       uint32_t instr, const struct arithmetic *how,
                                       const struct value *a)
{
    struct value result = compute_setp(exprs, how, a[0], a[1]);
    uint32_t count = subject->function->instrs[instr].operand_count;
    if (count == 3) return result;
    if (instruction_has(subject, instr, ".and")) return exprs_both(exprs, result, a[2]);
    if (instruction_has(subject, instr, ".or")) return exprs_either(exprs, result, a[2]);
    return VALUE_NONE;
}

/* The upper 32 bits of the product of two 32-bit numbers. Compilers write a division by a constant
 * with it. */
static struct value multiplied_high(const struct arithmetic *how, int64_t x, int64_t y)
{
    if (how->is_signed) return exprs_constant((int64_t)(int32_t)x * (int32_t)y >> 32);
    return exprs_constant((int64_t)((uint64_t)(uint32_t)x * (uint32_t)y >> 32));
}

/* The result of xor, division and similar operations on constants of at least 32 bits; otherwise
 * VALUE_NONE. */
static struct value computed_of_constants(const struct arithmetic *how, const struct value *a,
                                          uint32_t count)
{
    if (!how->of_constants || !count) return VALUE_NONE;
    for (uint32_t n = 0; n < count; n++)
        if (a[n].base) return VALUE_NONE;
    int64_t x = a[0].offset, y = count > 1 ? a[1].offset : 0;
    bool divides = count == 2 && x >= 0 && y > 0;
    switch ((enum operation)how->operation) {
    case OPERATION_XOR_BITS: return exprs_constant(x ^ y);
    case OPERATION_OR_BITS: return exprs_constant(x | y);
    case OPERATION_NOT_BITS: return exprs_constant(~x);
    case OPERATION_MULTIPLY_HIGH: return count == 2 ? multiplied_high(how, x, y) : VALUE_NONE;
    case OPERATION_DIVIDE: return divides ? exprs_constant(x / y) : VALUE_NONE;
    case OPERATION_REMAINDER: return divides ? exprs_constant(x % y) : VALUE_NONE;
    case OPERATION_LEAST: return divides ? exprs_constant(x < y ? x : y) : VALUE_NONE;
    case OPERATION_GREATEST: return divides ? exprs_constant(x > y ? x : y) : VALUE_NONE;
    case OPERATION_FIELD:
        if (count != 3 || x < 0 || y < 0 || y >= 32 || a[2].offset < 0 || a[2].offset >= 32)
            return VALUE_NONE;
        return exprs_constant((x >> y) & (((int64_t)1 << a[2].offset) - 1));
    default: return VALUE_NONE;
    }
}

/* The result for arguments that are all known. */
static struct value computed_of(struct exprs *exprs, const struct subject *subject, uint32_t instr,
                                const struct arithmetic *how, const struct value *a, uint32_t count)
{
    enum operation operation = (enum operation)how->operation;
    struct value result = VALUE_NONE;
    if (operation == OPERATION_NONE) return VALUE_NONE;
    if (operation == OPERATION_COMPARE) return computed_predicate(exprs, subject, instr, how, a);
    if (operation == OPERATION_COPY && count == 1) return a[0];
    if (operation == OPERATION_NOT && count == 1) return exprs_not(a[0]);
    if (operation == OPERATION_MAP && count == 2)
        return exprs_operation(exprs, SPELLING_MAPPED, a, count);
    if (operation == OPERATION_SELECT && count == 3) return exprs_select(exprs, a[0], a[1], a[2]);
    if (operation == OPERATION_MULTIPLY_ADD && count == 3)
        result = exprs_sum(exprs, multiply_values(exprs, a[0], a[1]), a[2]);
    if (operation == OPERATION_NEGATE && count == 1) result = exprs_product(exprs, a[0], -1);
    if (count == 2) result = computed_of_two(exprs, how, a[0], a[1]);
    if (value_is_none(result)) result = computed_of_constants(how, a, count);
    if (value_is_none(result) && count <= 3)
        result = exprs_operation(exprs, subject->function->instrs[instr].spelling, a, count);
    return result;
}

struct value compute_by(struct exprs *exprs, const struct subject *subject, uint32_t instr,
                        const struct arithmetic *how, const struct value *a, uint32_t count)
{
    struct value v = computed_of(exprs, subject, instr, how, a, count);
    return how->predicate ? v : narrow_value(how, v);
}

struct value compute_instruction(struct exprs *exprs, const struct subject *subject, uint32_t instr,
                                 const struct value *a, uint32_t count)
{
    return compute_by(exprs, subject, instr, compute_read(subject, instr), a, count);
}
