/* Which shared memory does an instruction touch? */
#include "lint/smem.h"

#include "lint/expr.h"
#include "lint/instruction.h"
#include "lint/smem_origin.h"

enum { UNKNOWN_SIZE = 16 };

struct finding {
    struct smem_tracing origins;
    struct smem_list list, marks; /* the latter mbarriers, slots for addresses of tensor memory */
};

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

/* The other fields of a descriptor are added to it, too. */
static void cut_to_field(struct smem_origin *o)
{
    if (o->at > DESCRIPTOR_ADDRESS) o->at &= DESCRIPTOR_ADDRESS;
    if (o->back > DESCRIPTOR_ADDRESS) o->back &= DESCRIPTOR_ADDRESS;
}

/* One operand; address: not a descriptor. */
static void add(struct smem_tracing *t, struct smem_list *list, struct smem_access like,
                uint32_t operand, bool address)
{
    struct str text = instruction_operand(t->lint, like.instr, operand);
    if (!text.n || (text.p[0] == '[') != address) return;
    struct smem_origin o = smem_origin_of(t, like.instr, operand);
    if (!o.known || !o.base || (o.shift != 0) == address) return;
    if (!address) cut_to_field(&o);
    like.base = (struct value){o.base, 0};
    like.first = times_wrapped(o.at, 1 << o.shift);
    like.lowest = plus_wrapped(like.first, times_wrapped(o.low, 1 << o.shift));
    like.ring = o.ring;
    like.back = times_wrapped(plus_wrapped(o.back, o.low), 1 << o.shift);
    like.lanes = o.lanes;
    like.moves = o.moves;
    like.around = o.around;
    vec_push(list, like);
}

static void add_copy(struct finding *f, struct smem_access like, struct str opcode)
{
    bool to_shared = memmem(opcode.p, opcode.n, ".shared::cluster.global", 23) ||
                     memmem(opcode.p, opcode.n, ".shared::cta.global", 19);
    bool from_shared = memmem(opcode.p, opcode.n, ".global.shared::cta", 19) ||
                       memmem(opcode.p, opcode.n, ".shared::cluster.shared::cta", 28);
    struct value size = value_of_operand(f->origins.lint, like.instr, 2);
    like.async = true;
    like.copy = true;
    like.writes = to_shared;
    if (!memmem(opcode.p, opcode.n, ".tensor", 7) && value_is_constant(size) && size.offset > 0)
        like.size = (uint32_t)size.offset;
    if (to_shared || from_shared) add(&f->origins, &f->list, like, from_shared, true);
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
static void add_generic(struct finding *f, struct smem_access like, struct str base,
                        struct str opcode)
{
    if (str_starts(opcode, "cp.async.c")) {
        like.writes = true;
        add(&f->origins, &f->list, like, 0, true);
        return;
    }
    bool matrix = str_is(base, "ldmatrix") || str_is(base, "stmatrix");
    bool atomic = str_is(base, "atom"), store = str_starts(base, "st") || str_is(base, "red");
    if (!matrix && !atomic && !store && !str_is(base, "ld")) return;
    if (!may_be_shared(f->origins.lint, like.instr)) return;
    like.writes = store || atomic;
    if (!matrix) like.size = size_of(opcode);
    add(&f->origins, &f->list, like, !store, true);
}

static void add_instr(struct finding *f, uint32_t instr)
{
    const struct lint *lint = f->origins.lint;
    struct smem_access like = {.instr = instr, .size = UNKNOWN_SIZE};
    struct str opcode = instruction_opcode(lint, instr);
    enum effect effect = lint_effect(lint, instr);
    if (effect == EFFECT_ASYNC_MMA || effect == EFFECT_ASYNC_CP) {
        like.async = true;
        add(&f->origins, &f->list, like, 1, false);
        if (effect == EFFECT_ASYNC_MMA) add(&f->origins, &f->list, like, 2, false);
    } else if (str_starts(opcode, "cp.async.bulk.") || str_starts(opcode, "cp.reduce.async.bulk")) {
        add_copy(f, like, opcode);
    } else if (str_starts(opcode, "clusterlaunchcontrol.try_cancel")) {
        like.async = like.copy = like.writes = true;
        like.size = 16;
        add(&f->origins, &f->list, like, 0, true);
    } else if (str_starts(opcode, "mbarrier.") || str_starts(opcode, "tcgen05.alloc")) {
        for (uint32_t operand = 0; operand < 3; operand++)
            add(&f->origins, &f->marks, like, operand, true);
    } else {
        add_generic(f, like, instruction_base(lint, instr), opcode);
    }
}

/* ---- the whole ---- */

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
    struct finding f = {0};
    smem_origins_begin(&f.origins, lint);
    for (uint32_t i = 0; i + 1 < lint->function->count; i++)
        if (lint_effect(lint, i) != EFFECT_REGISTER) add_instr(&f, i);
    for (uint32_t i = 0; i < f.list.count; i++) {
        struct smem_access *access = &f.list.at[i];
        access->object = INT64_MIN;
        if (access->async || !access->lanes || !access->writes) continue;
        lint_spend(lint, (uint64_t)f.list.count + f.marks.count);
        find_object(&f.list, access);
        find_object(&f.marks, access);
    }
    vec_free(&f.marks);
    return f.list;
}

/* An mma reads pieces of a tile of which not all need be known, and what copies fill is of more
 * than one shape: there the place is exact. */
static bool is_stored_for(const struct smem_access *store, const struct smem_access *reads)
{
    return !store->async && store->writes && store->lanes && reads->async && !reads->writes &&
           store->object == reads->lowest &&
           (store->lowest == reads->lowest || (reads->copy && !store->shared));
}

/* Each thread reads an own place of what a copy brings to where the first of them reads. */
static bool is_loaded_of(const struct smem_access *load, const struct smem_access *copy)
{
    return !load->async && !load->writes && load->lanes && copy->copy && copy->writes &&
           load->lowest == copy->lowest;
}

/* Stages of one ring: what is at the beginning of a stage is so in some round. */
static bool is_same_stage(const struct smem_access *a, const struct smem_access *b)
{
    return a->ring && b->ring && a->back == b->back && !(a->around && b->around);
}

bool smem_overlap(const struct smem_access *a, const struct smem_access *b)
{
    if (a->base.base != b->base.base) return false;
    if (is_same_stage(a, b)) return true;
    bool same_moves = a->moves == b->moves || a->lowest == b->lowest;
    if (!same_moves) return false;
    if (is_stored_for(a, b) || is_stored_for(b, a)) return true;
    if (is_loaded_of(a, b) || is_loaded_of(b, a)) return true;
    if (a->moves != b->moves) return false;
    if (a->around || b->around) return false;
    bool a_within = b->first <= a->first && a->first < plus_wrapped(b->first, b->size);
    bool b_within = a->first <= b->first && b->first < plus_wrapped(a->first, a->size);
    if (a->lanes && b->lanes) return a->first == b->first;
    if (a->lanes || b->lanes) return a->lanes ? a_within : b_within;
    return a_within || b_within;
}
