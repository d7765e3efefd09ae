/* Which shared memory does an instruction touch? */
#include "lint/smem.h"

#include "lint/expr.h"
#include "lint/instruction.h"
#include "lint/numbers.h"

enum {
    STEPS_MAX = 600, /* of one address */
    DESCRIPTOR_UNIT = 4,
    DESCRIPTOR_ADDRESS = (1 << 14) - 1,
    SMALL_SWIZZLE = 1024, /* an exclusive or below that only permutes within a tile */
    UNKNOWN_SIZE = 16
};

/* Where a value comes from. */
struct origin {
    bool known;
    uint32_t base; /* of a value; 0: no address is in it */
    int64_t at;    /* in units of 1 << shift bytes */
    int64_t low;   /* so much more for any thread that comes there, in the same units */
    uint32_t shift;
    bool lanes, moves, around;
};

struct tracing {
    const struct lint *lint;
    uint32_t *first;           /* by register: the use that writes it */
    uint32_t *next, *instr_of; /* by use */
    bool *open;                /* by register: on the way here */
    uint32_t steps;
    struct condition_set set; /* of the threads that come to the access */
    struct smem_list marks;   /* mbarriers and slots for addresses of tensor memory */
};

static struct origin trace(struct tracing *t, struct value v);

static const struct origin unknown = {.known = false};

/* Any number; of the register itself in the round before, too. */
static const struct origin some_number = {.known = true, .moves = true};

/* ---- of two ---- */

static void vary_with(struct origin *o, struct origin with)
{
    o->lanes |= with.lanes;
    o->moves |= with.moves;
    o->around |= with.around;
}

static struct origin sum(const struct tracing *t, struct origin a, struct origin b)
{
    if (!a.known || !b.known || (a.base && b.base && a.shift != b.shift)) return unknown;
    if (!a.base) {
        struct origin swap = a;
        a = b;
        b = swap;
    }
    if (b.base) {
        struct value both =
            value_sum(t->lint, (struct value){a.base, 0}, (struct value){b.base, 0});
        if (value_is_none(both)) return unknown;
        a.base = both.base;
    }
    a.at = plus_wrapped(a.at, b.at);
    a.low = plus_wrapped(a.low, b.low);
    vary_with(&a, b);
    return a;
}

/* It is one or the other; a number that moves may be what the other was. */
static struct origin either(struct origin a, struct origin b)
{
    if (a.known && !a.base && a.moves) a = b;
    if (b.known && !b.base && b.moves) b = a;
    if (!a.known || !b.known || a.base != b.base || a.shift != b.shift) return unknown;
    if (a.at != b.at && a.base) return unknown;
    if (b.at < a.at) a.at = b.at;
    if (b.low < a.low) a.low = b.low;
    vary_with(&a, b);
    a.moves = true;
    return a;
}

/* ---- registers ---- */

static struct origin trace_element(struct tracing *t, uint32_t instr, uint32_t operand, uint32_t n)
{
    const struct function *f = t->lint->function;
    const struct operand *of = &f->operands[f->instrs[instr].first_operand + operand];
    if (n >= of->use_count) return unknown;
    return trace(t, value_of(t->lint, f->uses[of->first_use + n].reg));
}

/* mov.b64 d, {low, high} and mov.b64 {low, high}, d: the address is in the low half. */
static struct origin trace_move(struct tracing *t, uint32_t instr, reg_id reg)
{
    const struct function *f = t->lint->function;
    struct str to = instruction_operand(t->lint, instr, 0);
    struct str from = instruction_operand(t->lint, instr, 1);
    if (!str_is(instruction_base(t->lint, instr), "mov") || !to.n || !from.n) return some_number;
    if (from.p[0] == '{') return trace_element(t, instr, 1, 0);
    bool low = to.p[0] == '{' && f->uses[f->instrs[instr].first_use].reg == reg && to.n > 1 &&
               to.p[1] != '_';
    return low ? trace(t, value_of_operand(t->lint, instr, 1)) : some_number;
}

static struct origin trace_definition(struct tracing *t, uint32_t instr, reg_id reg)
{
    struct str to = instruction_operand(t->lint, instr, 0);
    if (to.n && to.p[0] == '{') return trace_move(t, instr, reg);
    struct value v = value_computed(t->lint, instr);
    if (value_is_none(v)) return trace_move(t, instr, reg);
    const struct expr *e = value_expr(t->lint, v);
    bool itself = e->kind == EXPR_REG && e->reg == reg && e->instr == instr;
    return itself ? trace_move(t, instr, reg) : trace(t, v);
}

/* All of its definitions; one that only goes on from what it was says nothing new. */
static struct origin trace_register(struct tracing *t, reg_id reg)
{
    struct origin all = some_number;
    uint32_t first = t->first[reg];
    bool any = false, several = first != NO_INSTR && t->next[first] != NO_INSTR;
    if (t->open[reg]) return some_number;
    t->open[reg] = true;
    for (uint32_t u = first; u != NO_INSTR; u = t->next[u]) {
        struct origin one = trace_definition(t, t->instr_of[u], reg);
        if (several && one.known && !one.base && one.moves) continue;
        all = any ? either(all, one) : one;
        any = true;
    }
    all.moves |= several;
    t->open[reg] = false;
    return all;
}

/* ---- expressions ---- */

/* The only one of the arguments that has an address in it, with nothing but numbers beside. */
static struct origin trace_arguments(struct tracing *t, const struct expr *e)
{
    struct origin result = {.known = true};
    for (int i = 0; i < 3 && result.known; i++) {
        if (!e->a[i].base) continue;
        struct origin one = trace(t, e->a[i]);
        if (!one.known || (one.base && result.base)) return unknown;
        vary_with(&one, result);
        vary_with(&result, one);
        if (one.base) result = one;
    }
    return result;
}

/* shr, or bfe of that many bits: from an address to the field of a descriptor. */
static struct origin shifted(struct origin o, int64_t bits)
{
    if (!o.known) return o;
    if (!o.base) return (struct origin){.known = true, .lanes = o.lanes, .moves = o.moves};
    if (bits != DESCRIPTOR_UNIT || o.shift || o.at % (1 << DESCRIPTOR_UNIT)) return unknown;
    o.at >>= DESCRIPTOR_UNIT;
    o.shift = DESCRIPTOR_UNIT;
    return o;
}

/* The lowest bits may go from a field that is none of them set: tiles are aligned for it. */
static bool keeps_low_bits(int64_t mask, struct origin o)
{
    enum { LOW_BITS = 0xfff };
    int64_t lowest = mask & -mask;
    if (o.shift && lowest && o.at % lowest == 0) mask |= lowest - 1;
    return (mask & LOW_BITS) == LOW_BITS;
}

/* A mask that keeps the low bits cuts to a field or window; one that does not rounds down. What
 * swizzles is a few bits of the address itself. */
static struct origin masked(const struct expr *e, struct value v, struct origin o)
{
    bool cuts = !e->a[1].base && keeps_low_bits(e->a[1].offset, o);
    bool small = !e->a[1].base && e->a[1].offset >= 0 && e->a[1].offset < SMALL_SWIZZLE;
    if (small && (!o.known || o.base))
        return (struct origin){
            .known = true, .lanes = !e->of_block, .moves = !e->fixed, .around = true};
    if (!o.known || (o.base && cuts)) return o;
    if (!o.base) return (struct origin){.known = true, .lanes = o.lanes, .moves = o.moves};
    return e->fixed && e->of_block ? (struct origin){.known = true, .base = v.base} : unknown;
}

/* or with constant fields, exclusive or of what swizzles. */
static struct origin with_bits(const struct expr *e, struct str opcode, struct origin o)
{
    int64_t constant = 0;
    for (int i = 0; i < 3; i++)
        if (!e->a[i].base) constant |= e->a[i].offset;
    if (!o.known) return o;
    if (str_starts(opcode, "or.")) {
        o.at = plus_wrapped(o.at, o.shift ? constant & DESCRIPTOR_ADDRESS : constant);
        return o;
    }
    o.lanes = true;
    return constant >= 0 && constant < SMALL_SWIZZLE ? o : unknown;
}

static struct origin trace_operation(struct tracing *t, const struct expr *e, struct value v)
{
    struct origin o = trace_arguments(t, e);
    struct origin number = {.known = true, .lanes = !e->of_block, .moves = !e->fixed};
    if (e->spelling == SPELLING_SHIFT_RIGHT) return shifted(o, e->a[1].offset);
    if (e->spelling == SPELLING_AND) return masked(e, v, o);
    if (e->spelling == SPELLING_MAPPED) return unknown;
    struct str opcode = t->lint->opcodes[e->spelling];
    if (str_starts(opcode, "bfe.u") && !e->a[1].base) return shifted(o, e->a[1].offset);
    if (str_starts(opcode, "or.b") || str_starts(opcode, "xor.b")) return with_bits(e, opcode, o);
    if (str_starts(opcode, "shfl.")) return o.lanes ? unknown : o; /* of one lane for all */
    if (o.known && !o.base) return number;
    return e->fixed && e->of_block ? (struct origin){.known = true, .base = v.base} : unknown;
}

static struct origin trace_product(struct tracing *t, const struct expr *e, struct value v)
{
    struct origin o = trace(t, e->a[0]);
    if (e->fixed && e->of_block) return (struct origin){.known = true, .base = v.base};
    if (!o.known || o.base) return unknown;
    o.at = times_wrapped(o.at, e->a[1].offset);
    return __builtin_mul_overflow(o.low, e->a[1].offset, &o.low) ? unknown : o;
}

/* Of those who come there. */
static int64_t least(const struct tracing *t, uint32_t base)
{
    struct numbers n = numbers_of(t->lint, &t->set, base, EXPR_LT_S);
    numbers_free(&n);
    return n.low > 0 ? n.low : 0;
}

static struct origin trace_base(struct tracing *t, struct value v)
{
    const struct expr e = *value_expr(t->lint, v);
    switch (e.kind) {
    case EXPR_SUM: return sum(t, trace(t, e.a[0]), trace(t, e.a[1]));
    case EXPR_PRODUCT: return trace_product(t, &e, v);
    case EXPR_OP: return trace_operation(t, &e, v);
    case EXPR_SELECT: return either(trace(t, e.a[0]), trace(t, e.a[1]));
    case EXPR_REG: return trace_register(t, e.reg);
    default: break;
    }
    if (!e.fixed) return some_number;
    if (!e.of_block) return (struct origin){.known = true, .low = least(t, v.base), .lanes = true};
    return (struct origin){.known = true, .base = v.base};
}

static struct origin trace(struct tracing *t, struct value v)
{
    lint_spend(t->lint, 1);
    if (value_is_none(v) || ++t->steps > STEPS_MAX) return unknown;
    struct origin o = {.known = true};
    if (v.base) o = trace_base(t, (struct value){v.base, 0});
    o.at = plus_wrapped(o.at, v.offset);
    return o;
}

/* ---- accesses ---- */

/* The bytes that one thread moves: of its type and vector. */
static uint32_t size_of(struct str opcode)
{
    static const struct {
        const char *type;
        uint32_t bytes;
    } types[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}, {"128", 16}, {"16x2", 4}};
    size_t dot = opcode.n;
    uint32_t vector = 1;
    while (dot && opcode.p[dot - 1] != '.') dot--;
    while (dot < opcode.n && (opcode.p[dot] < '0' || opcode.p[dot] > '9')) dot++;
    for (uint32_t n = 2; n <= 8; n *= 2)
        if (memmem(opcode.p, opcode.n, (char[]){'.', 'v', (char)('0' + n), '.'}, 4)) vector = n;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_is((struct str){opcode.p + dot, opcode.n - dot}, types[i].type))
            return vector * types[i].bytes;
    return 1;
}

/* One operand; address: not a descriptor. */
static void add(struct tracing *t, struct smem_list *list, struct smem_access like,
                uint32_t operand, bool address)
{
    struct str text = instruction_operand(t->lint, like.instr, operand);
    if (!text.n || (text.p[0] == '[') != address) return;
    t->steps = 0;
    t->set = conditions_of(t->lint, like.instr);
    struct origin o = trace(t, value_of_operand(t->lint, like.instr, operand));
    if (!o.known || !o.base || (o.shift != 0) == address) return;
    like.base = (struct value){o.base, 0};
    like.first = times_wrapped(o.at, 1 << o.shift);
    like.lowest = plus_wrapped(like.first, times_wrapped(o.low, 1 << o.shift));
    like.lanes = o.lanes;
    like.moves = o.moves;
    like.around = o.around;
    vec_push(list, like);
}

static void add_copy(struct tracing *t, struct smem_list *list, struct smem_access like,
                     struct str opcode)
{
    bool to_shared = memmem(opcode.p, opcode.n, ".shared::cluster.global", 23) ||
                     memmem(opcode.p, opcode.n, ".shared::cta.global", 19);
    bool from_shared = memmem(opcode.p, opcode.n, ".global.shared::cta", 19) ||
                       memmem(opcode.p, opcode.n, ".shared::cluster.shared::cta", 28);
    struct value size = value_of_operand(t->lint, like.instr, 2);
    like.async = true;
    like.copy = true;
    like.writes = to_shared;
    if (!memmem(opcode.p, opcode.n, ".tensor", 7) && value_is_constant(size) && size.offset > 0)
        like.size = (uint32_t)size.offset;
    if (to_shared || from_shared) add(t, list, like, from_shared, true);
}

static bool may_be_shared(const struct lint *lint, uint32_t instr)
{
    static const char *const others[] = {".global", ".local",        ".param",       ".const",
                                         ".async",  ".param::entry", ".param::func", ".bulk"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (instruction_has(lint, instr, others[i])) return false;
    return true;
}

/* cp.async without .bulk writes as an st would (ISA 9.7.9.25.1.2). */
static void add_generic(struct tracing *t, struct smem_list *list, struct smem_access like,
                        struct str base, struct str opcode)
{
    if (str_starts(opcode, "cp.async.c")) {
        like.writes = true;
        add(t, list, like, 0, true);
        return;
    }
    bool matrix = str_is(base, "ldmatrix") || str_is(base, "stmatrix");
    bool store = str_starts(base, "st");
    if (!matrix && !str_is(base, "ld") && !str_is(base, "st")) return;
    if (!may_be_shared(t->lint, like.instr)) return;
    like.writes = store;
    if (!matrix) like.size = size_of(opcode);
    add(t, list, like, !store, true);
}

static void add_instr(struct tracing *t, struct smem_list *list, uint32_t instr)
{
    struct smem_access like = {.instr = instr, .size = UNKNOWN_SIZE};
    struct str opcode = instruction_opcode(t->lint, instr);
    enum effect effect = lint_effect(t->lint, instr);
    if (effect == EFFECT_ASYNC_MMA || effect == EFFECT_ASYNC_CP) {
        like.async = true;
        add(t, list, like, 1, false);
        if (effect == EFFECT_ASYNC_MMA) add(t, list, like, 2, false);
    } else if (str_starts(opcode, "cp.async.bulk.") || str_starts(opcode, "cp.reduce.async.bulk")) {
        add_copy(t, list, like, opcode);
    } else if (str_starts(opcode, "clusterlaunchcontrol.try_cancel")) {
        like.async = like.copy = like.writes = true;
        like.size = 16;
        add(t, list, like, 0, true);
    } else if (str_starts(opcode, "mbarrier.") || str_starts(opcode, "tcgen05.alloc")) {
        for (uint32_t operand = 0; operand < 3; operand++) add(t, &t->marks, like, operand, true);
    } else {
        add_generic(t, list, like, instruction_base(t->lint, instr), opcode);
    }
}

/* ---- the whole ---- */

static void begin(struct tracing *t, const struct lint *lint)
{
    const struct function *f = lint->function;
    uint32_t use_count = 0;
    for (uint32_t i = 0; i + 1 < f->count; i++) {
        uint32_t end = f->instrs[i].first_use + f->instrs[i].use_count;
        if (end > use_count) use_count = end;
    }
    t->lint = lint;
    t->first = arena_alloc(lint->arena, f->reg_count + 1, sizeof *t->first);
    t->open = arena_alloc(lint->arena, f->reg_count + 1, sizeof *t->open);
    t->next = arena_alloc(lint->arena, use_count + 1, sizeof *t->next);
    t->instr_of = arena_alloc(lint->arena, use_count + 1, sizeof *t->instr_of);
    for (uint32_t r = 0; r < f->reg_count; r++) t->first[r] = NO_INSTR;
    for (uint32_t i = 0; i + 1 < f->count; i++) {
        for (uint32_t u = f->instrs[i].first_use;
             u < f->instrs[i].first_use + f->instrs[i].use_count; u++) {
            if (!f->uses[u].write) continue;
            t->next[u] = t->first[f->uses[u].reg];
            t->instr_of[u] = i;
            t->first[f->uses[u].reg] = u;
        }
    }
}

/* What begins nearest at or below where the first thread stores; an array's end is not known. */
static void find_object(const struct smem_list *list, struct smem_access *store)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct smem_access *a = &list->at[i];
        bool begins = a->async || !a->writes, far = store->lowest - a->lowest >= SMALL_SWIZZLE;
        if (a->base.base != store->base.base || !begins || a->lowest > store->lowest) continue;
        if (a->lowest > store->object) store->shared = false;
        if (a->lowest >= store->object) {
            store->object = a->lowest;
            store->shared |= (a->async && a->writes) || (a->moves && !store->moves && far);
        }
    }
}

struct smem_list smem_find(const struct lint *lint)
{
    struct smem_list list = {0};
    struct tracing t = {0};
    begin(&t, lint);
    for (uint32_t i = 0; i + 1 < lint->function->count; i++)
        if (lint_effect(lint, i) != EFFECT_REGISTER) add_instr(&t, &list, i);
    for (uint32_t i = 0; i < list.count; i++) {
        struct smem_access *access = &list.at[i];
        access->object = INT64_MIN;
        if (access->async || !access->lanes || !access->writes) continue;
        lint_spend(lint, (uint64_t)list.count + t.marks.count);
        find_object(&list, access);
        find_object(&t.marks, access);
    }
    vec_free(&t.marks);
    return list;
}

/* An mma reads pieces of a tile of which not all need be known: there the place is exact. */
static bool is_stored_for(const struct smem_access *store, const struct smem_access *reads)
{
    return !store->async && store->writes && store->lanes && reads->async && !reads->writes &&
           !store->shared && store->object == reads->lowest &&
           (reads->copy || store->lowest == reads->lowest);
}

bool smem_overlap(const struct smem_access *a, const struct smem_access *b)
{
    if (a->base.base != b->base.base) return false;
    bool same_moves = a->moves == b->moves || a->lowest == b->lowest;
    if (!same_moves) return false;
    if (is_stored_for(a, b) || is_stored_for(b, a)) return true;
    if (a->moves != b->moves) return false;
    if (a->around || b->around) return false;
    bool a_within = b->first <= a->first && a->first < plus_wrapped(b->first, b->size);
    bool b_within = a->first <= b->first && b->first < plus_wrapped(a->first, a->size);
    if (a->lanes && b->lanes) return a->first == b->first;
    if (a->lanes || b->lanes) return a->lanes ? a_within : b_within;
    return a_within || b_within;
}
