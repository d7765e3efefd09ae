/* Traces an address in shared memory to the place that it is computed from. See smem_origin.h. */
#include "lint/smem_origin.h"

#include "value/condition_pairs.h"
#include "value/expr.h"
#include "value/instruction.h"
#include "value/numbers.h"

enum {
    STEPS_MAX = 600, /* for one address */
    DESCRIPTOR_UNIT = 4
};

static struct smem_origin smem_trace(struct smem_tracing *t, struct value v);

static const struct smem_origin unknown = {.known = false};

/* Any number; also the value that a register had in the previous iteration. */
static const struct smem_origin some_number = {.known = true, .moves = true};

/* ---- combinations of two origins ---- */

static void vary_with(struct smem_origin *o, struct smem_origin with)
{
    o->lanes |= with.lanes;
    o->moves |= with.moves;
    o->around |= with.around;
    o->ring |= with.ring;
}

static struct smem_origin sum_origins(const struct smem_tracing *t, struct smem_origin a,
                                      struct smem_origin b)
{
    if (!a.known || !b.known || (a.base && b.base && a.shift != b.shift)) return unknown;
    if (!a.base) {
        struct smem_origin swap = a;
        a = b;
        b = swap;
    }
    if (b.base) {
        struct value both =
            value_sum(t->lint->subject, (struct value){a.base, 0}, (struct value){b.base, 0});
        if (value_is_none(both)) return unknown;
        a.base = both.base;
    }
    a.at = plus_wrapped(a.at, b.at);
    a.back = plus_wrapped(a.back, b.back);
    a.low = plus_wrapped(a.low, b.low);
    vary_with(&a, b);
    return a;
}

static bool is_moving_number(struct smem_origin o)
{
    return o.known && !o.base && o.moves;
}

/* The origin of a value that is either a or b. If one of them is a number that changes in a loop,
 * the other is the value to which the loop sets the number back. */
static struct smem_origin either_origin(struct smem_origin a, struct smem_origin b)
{
    bool set_back = is_moving_number(a) != is_moving_number(b);
    if (is_moving_number(a)) a = b;
    if (is_moving_number(b)) b = a;
    a.ring |= set_back;
    if (!a.known || !b.known || a.base != b.base || a.shift != b.shift) return unknown;
    if (b.at < a.at) a.at = b.at;
    if (b.back < a.back) a.back = b.back;
    if (b.low < a.low) a.low = b.low;
    vary_with(&a, b);
    a.moves = true;
    return a;
}

/* ---- registers ---- */

static struct smem_origin trace_element(struct smem_tracing *t, uint32_t instr, uint32_t operand,
                                        uint32_t n)
{
    const struct function *f = t->lint->function;
    const struct operand *of = &f->operands[f->instrs[instr].first_operand + operand];
    if (n >= of->use_count) return unknown;
    return smem_trace(t, value_of(t->lint->subject, f->uses[of->first_use + n].reg));
}

/* mov.b64 d, {low, high} and mov.b64 {low, high}, d: the address is in the low half. */
static struct smem_origin trace_move(struct smem_tracing *t, uint32_t instr, reg_id reg)
{
    const struct function *f = t->lint->function;
    struct str to = instruction_operand(t->lint->subject, instr, 0);
    struct str from = instruction_operand(t->lint->subject, instr, 1);
    if (!str_is(instruction_base(t->lint->subject, instr), "mov") || !to.n || !from.n)
        return some_number;
    if (from.p[0] == '{') return trace_element(t, instr, 1, 0);
    bool low = to.p[0] == '{' && f->uses[f->instrs[instr].first_use].reg == reg && to.n > 1 &&
               to.p[1] != '_';
    return low ? smem_trace(t, value_of_operand(t->lint->subject, instr, 1)) : some_number;
}

static struct smem_origin smem_trace_definition(struct smem_tracing *t, uint32_t instr, reg_id reg)
{
    struct str to = instruction_operand(t->lint->subject, instr, 0);
    if (to.n && to.p[0] == '{') return trace_move(t, instr, reg);
    struct value v = value_computed(t->lint->subject, instr);
    if (value_is_none(v)) return trace_move(t, instr, reg);
    const struct expr *e = value_expr(t->lint->subject, v);
    bool itself = e->kind == EXPR_REG && e->web == reg && e->instr == instr;
    return itself ? trace_move(t, instr, reg) : smem_trace(t, v);
}

/* The register starts at one place and is set back to another, or to the same one. */
static void go_round(struct smem_origin *all, struct smem_origin set_back)
{
    if (!set_back.known) return;
    if (is_moving_number(*all)) *all = set_back;
    all->ring = !set_back.base || (set_back.base == all->base && set_back.shift == all->shift);
    if (all->ring) all->back = set_back.back;
}

/* Combines all definitions of the register. A definition that only computes from the old value adds
 * nothing. */
static struct smem_origin smem_trace_register(struct smem_tracing *t, reg_id reg)
{
    struct smem_origin all = some_number;
    const struct subject *subject = t->lint->subject;
    uint32_t last = value_last_write(subject, reg);
    struct smem_origin set_back = unknown;
    bool any = false, several = last != NO_WRITE && value_write_before(subject, last) != NO_WRITE;
    if (t->open[reg]) {
        t->met_open++;
        return some_number;
    }
    t->open[reg] = true;
    t->open_count++;
    for (uint32_t u = last; u != NO_WRITE; u = value_write_before(subject, u)) {
        struct smem_origin one = smem_trace_definition(t, value_write_instr(subject, u), reg);
        if (one.known && one.ring) set_back = one;
        if (several && one.known && (one.ring || is_moving_number(one))) continue;
        all = any ? either_origin(all, one) : one;
        any = true;
    }
    all.moves |= several;
    if (several) go_round(&all, set_back);
    t->open[reg] = false;
    t->open_count--;
    return all;
}

/* ---- expressions ---- */

/* The only argument that contains an address, if all others are numbers. If there is no address,
 * low is the greatest of the arguments. */
static struct smem_origin trace_arguments(struct smem_tracing *t, const struct expr *e)
{
    struct smem_origin result = {.known = true};
    int64_t low = 0;
    for (int i = 0; i < 3 && result.known; i++) {
        if (!e->a[i].base) continue;
        struct smem_origin one = smem_trace(t, e->a[i]);
        if (!one.known || (one.base && result.base)) return unknown;
        vary_with(&one, result);
        vary_with(&result, one);
        if (one.base) result = one;
        if (plus_wrapped(one.at, one.low) > low) low = plus_wrapped(one.at, one.low);
    }
    if (result.known && !result.base) result.low = low;
    return result;
}

/* A number that is computed from o. */
static struct smem_origin some_part(struct smem_origin o)
{
    return (struct smem_origin){.known = true, .lanes = o.lanes, .moves = o.moves, .ring = o.ring};
}

/* shr, or bfe from that bit: converts an address to the field of a descriptor. */
static struct smem_origin shift_origin(struct smem_origin o, int64_t bits)
{
    if (!o.known) return o;
    if (!o.base) return some_part(o);
    if (bits != DESCRIPTOR_UNIT || o.shift || o.at % (1 << DESCRIPTOR_UNIT)) return unknown;
    o.at >>= DESCRIPTOR_UNIT;
    o.back >>= DESCRIPTOR_UNIT;
    o.shift = DESCRIPTOR_UNIT;
    return o;
}

/* The mask keeps the low bits of the address. For the field of a descriptor it may also clear bits
 * that are zero there: the address is aligned, and compilers leave known zero bits out of a
 * mask. */
static bool keeps_low_bits(int64_t mask, struct smem_origin o)
{
    enum { LOW_BITS = 0xfff, MOST = 8 };
    bool is_field = o.shift && __builtin_popcountll((uint64_t)mask & DESCRIPTOR_ADDRESS) >= MOST;
    if (is_field) mask |= ~o.at;
    return (mask & LOW_BITS) == LOW_BITS;
}

/* A mask that keeps the low bits cuts the value to a field or window; any other mask rounds down. A
 * small mask selects bits of the address for a swizzle. */
static struct smem_origin mask_origin(const struct expr *e, struct value v, struct smem_origin o)
{
    bool cuts = !e->a[1].base && keeps_low_bits(e->a[1].offset, o);
    bool small = !e->a[1].base && e->a[1].offset >= 0 && e->a[1].offset < SMALL_SWIZZLE;
    if (small && (!o.known || o.base))
        return (struct smem_origin){
            .known = true, .lanes = !e->of_block, .moves = !e->fixed, .around = true};
    if (!o.known || (o.base && cuts)) return o;
    o.ring |= o.moves;
    if (!o.base) return some_part(o);
    return e->fixed && e->of_block ? (struct smem_origin){.known = true, .base = v.base} : unknown;
}

/* or adds constant fields; xor swizzles. */
static struct smem_origin with_bits(const struct expr *e, struct str opcode, struct smem_origin o)
{
    int64_t constant = 0;
    for (int i = 0; i < 3; i++)
        if (!e->a[i].base) constant |= e->a[i].offset;
    if (!o.known) return o;
    if (str_starts(opcode, "or.")) {
        constant = o.shift ? constant & DESCRIPTOR_ADDRESS : constant;
        o.at = plus_wrapped(o.at, constant);
        o.back = plus_wrapped(o.back, constant);
        return o;
    }
    if (!o.base) {
        o.at ^= constant;
        o.back ^= constant;
        o.low = 0;
        return o;
    }
    o.lanes = true;
    return constant >= 0 && constant < SMALL_SWIZZLE ? o : unknown;
}

/* a without the terms of b; VALUE_NONE: some of them are not terms of a. */
static struct value without_terms(const struct smem_tracing *t, struct value a, struct value b)
{
    const struct subject *subject = t->lint->subject;
    uint32_t terms[EXPR_TERMS_MAX], gone[EXPR_TERMS_MAX];
    uint32_t count = exprs_terms(subject->exprs, a.base, terms),
             gone_count = exprs_terms(subject->exprs, b.base, gone);
    for (uint32_t i = 0; i < gone_count; i++) {
        uint32_t at = 0;
        while (at < count && terms[at] != gone[i]) at++;
        if (at == count) return VALUE_NONE;
        terms[at] = terms[--count];
    }
    struct value rest = {0, minus_wrapped(a.offset, b.offset)};
    for (uint32_t i = 0; i < count; i++)
        rest = value_sum(subject, rest, (struct value){terms[i], 0});
    return rest;
}

/* A difference a - b, where b is the same for all threads or has been added to a before. */
static struct smem_origin trace_difference(struct smem_tracing *t, const struct expr *e)
{
    struct value rest = without_terms(t, e->a[0], e->a[1]);
    if (!value_is_none(rest)) return smem_trace(t, rest);
    struct smem_origin a = smem_trace(t, e->a[0]), b = smem_trace(t, e->a[1]);
    if (!a.known || !b.known || b.base || b.lanes) return unknown;
    a.at = minus_wrapped(a.at, b.at);
    a.back = minus_wrapped(a.back, b.back);
    vary_with(&a, b);
    return a;
}

static struct smem_origin smem_trace_operation(struct smem_tracing *t, const struct expr *e,
                                               struct value v)
{
    struct smem_origin o = trace_arguments(t, e);
    struct smem_origin number = {
        .known = true, .lanes = !e->of_block, .moves = !e->fixed, .ring = o.ring};
    if (e->spelling == SPELLING_SHIFT_RIGHT) return shift_origin(o, e->a[1].offset);
    if (e->spelling == SPELLING_AND) return mask_origin(e, v, o);
    if (e->spelling == SPELLING_MAPPED) return unknown;
    struct str opcode = t->lint->subject->spelled[e->spelling]->opcode;
    if (str_starts(opcode, "sub.") && o.known && !o.base) return number;
    if (str_starts(opcode, "sub.")) return trace_difference(t, e);
    if (str_starts(opcode, "bfe.u") && !e->a[1].base) return shift_origin(o, e->a[1].offset);
    if (str_starts(opcode, "or.b") || str_starts(opcode, "xor.b")) return with_bits(e, opcode, o);
    if (str_starts(opcode, "shfl.")) return o.lanes ? unknown : o; /* all lanes get that of one */
    if (str_is(opcode, "cvt.u16.u32") && o.shift) return o;        /* a field fits into 16 bits */
    if (o.known && !o.base) return number;
    return e->fixed && e->of_block ? (struct smem_origin){.known = true, .base = v.base} : unknown;
}

static struct smem_origin trace_product(struct smem_tracing *t, const struct expr *e,
                                        struct value v)
{
    struct smem_origin o = smem_trace(t, e->a[0]);
    if (e->fixed && e->of_block) return (struct smem_origin){.known = true, .base = v.base};
    if (!o.known || o.base) return unknown;
    o.at = times_wrapped(o.at, e->a[1].offset);
    o.back = times_wrapped(o.back, e->a[1].offset);
    return __builtin_mul_overflow(o.low, e->a[1].offset, &o.low) ? unknown : o;
}

/* The least value among the threads that reach the access. */
static int64_t least_number(struct smem_tracing *t, uint32_t base)
{
    t->asked_set++;
    struct numbers n;
    numbers_find(t->lint->subject, t->set, base, EXPR_LT_S, &n);
    return n.low > 0 ? n.low : 0;
}

/* Sets low to the least value among the threads, if nothing better is known. */
static struct smem_origin at_least(struct smem_tracing *t, struct value v, struct smem_origin o)
{
    if (o.known && !o.base && o.lanes && !o.low) o.low = least_number(t, v.base);
    return o;
}

static struct smem_origin trace_base_now(struct smem_tracing *t, struct value v)
{
    const struct expr e = *value_expr(t->lint->subject, v);
    switch (e.kind) {
    case EXPR_SUM: return sum_origins(t, smem_trace(t, e.a[0]), smem_trace(t, e.a[1]));
    case EXPR_PRODUCT: return trace_product(t, &e, v);
    case EXPR_OP: return at_least(t, v, smem_trace_operation(t, &e, v));
    case EXPR_SELECT: return either_origin(smem_trace(t, e.a[0]), smem_trace(t, e.a[1]));
    case EXPR_REG: return smem_trace_register(t, e.web);
    default: break;
    }
    if (!e.fixed) return some_number;
    if (!e.of_block)
        return (struct smem_origin){.known = true, .low = least_number(t, v.base), .lanes = true};
    return (struct smem_origin){.known = true, .base = v.base};
}

static void grow_traced(struct smem_tracing *t)
{
    uint32_t count = values_exprs(t->lint->subject)->rows.count * 2;
    struct smem_traced *more = arena_room(t->lint->arena, count, sizeof *more);
    if (t->traced_count) memcpy(more, t->traced, t->traced_count * sizeof *more);
    for (uint32_t i = t->traced_count; i < count; i++) more[i].set = 0;
    t->traced = more;
    t->traced_count = count;
}

/* The result is cached: for these threads, or for all if it does not depend on them. If a register
 * that is being traced was met again, the result is another one when the trace comes from that
 * register. */
static struct smem_origin trace_base(struct smem_tracing *t, struct value v)
{
    if (v.base >= t->traced_count) grow_traced(t);
    const struct smem_traced *traced = &t->traced[v.base];
    bool here = !t->open_count;
    if ((traced->set == t->set_number || traced->set == SMEM_ANY_SET) &&
        (here || !traced->from_here)) {
        t->asked_set += traced->set != SMEM_ANY_SET;
        return traced->origin;
    }
    uint32_t met = t->met_open, asked = t->asked_set;
    struct smem_origin origin = trace_base_now(t, v);
    if ((t->met_open != met && !here) || t->steps > STEPS_MAX) return origin;
    uint32_t set = t->asked_set == asked ? SMEM_ANY_SET : t->set_number;
    if (v.base < t->traced_count)
        t->traced[v.base] = (struct smem_traced){set, t->met_open != met, origin};
    return origin;
}

static struct smem_origin smem_trace(struct smem_tracing *t, struct value v)
{
    lint_spend(t->lint, 1);
    if (value_is_none(v) || ++t->steps > STEPS_MAX) return unknown;
    struct smem_origin o = {.known = true};
    if (v.base) o = trace_base(t, (struct value){v.base, 0});
    o.at = plus_wrapped(o.at, v.offset);
    o.back = plus_wrapped(o.back, v.offset);
    return o;
}

/* ---- interface ---- */

void smem_origins_begin(struct lint *lint)
{
    if (lint->tracing) return;
    struct smem_tracing *t = lint->tracing = arena_alloc(lint->arena, 1, sizeof *t);
    t->lint = lint;
    t->open = arena_alloc(lint->arena, lint->function->reg_count + 1, sizeof *t->open);
}

struct smem_origin smem_origin_of_value(struct smem_tracing *t, uint32_t instr, struct value v)
{
    const struct condition_set *set = condition_pairs_set(t->lint->subject, instr);
    t->steps = 0;
    t->set_number += t->set != set;
    t->set = set;
    return smem_trace(t, v);
}

struct smem_origin smem_origin_of(struct smem_tracing *t, uint32_t instr, uint32_t operand)
{
    return smem_origin_of_value(t, instr, value_of_operand(t->lint->subject, instr, operand));
}
