/* Lists accesses to shared memory by opcode and operand, and computes bounds of their addresses.
 * See smem.h. */
#include "value/smem.h"

#include <string.h>

#include "value/condition_pairs.h"
#include "value/instruction.h"
#include "value/numbers.h"

enum { UNKNOWN_SIZE = 16 };

struct listing {
    const struct subject *subject;
    struct VEC(struct smem_access) list;
};

/* ---- accesses ---- */

/* The bytes that one thread accesses, from type and vector; at least one. */
static uint32_t smem_access_size(const struct subject *subject, uint32_t instr, bool *whole)
{
    static const struct {
        const char *type;
        uint32_t bytes;
    } types[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}, {"128", 16}, {"16x2", 4}};
    struct str opcode = instruction_opcode(subject, instr);
    size_t dot = opcode.n;
    uint32_t vector = instruction_has(subject, instr, ".v2")   ? 2
                      : instruction_has(subject, instr, ".v4") ? 4
                      : instruction_has(subject, instr, ".v8") ? 8
                                                               : 1;
    while (dot && opcode.p[dot - 1] != '.') dot--;
    while (dot < opcode.n && (opcode.p[dot] < '0' || opcode.p[dot] > '9')) dot++;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_is((struct str){opcode.p + dot, opcode.n - dot}, types[i].type))
            return *whole = true, vector * types[i].bytes;
    return 1;
}

static void smem_add_access(struct listing *l, struct smem_access like, uint32_t operand,
                            bool address)
{
    struct str text = instruction_operand(l->subject, like.instr, operand);
    if (!text.n || (text.p[0] == '[') != address) return;
    like.operand = operand;
    like.descriptor = !address;
    vec_push(&l->list, like);
}

/* A vector of registers in place of a descriptor is a matrix in registers. */
static void add_descriptor(struct listing *l, struct smem_access like, uint32_t operand)
{
    if (instruction_begins(l->subject, like.instr, operand) != '{')
        smem_add_access(l, like, operand, false);
}

/* The operand is the number of bytes, if it is a constant. */
static void set_size(const struct subject *subject, struct smem_access *access, uint32_t operand)
{
    struct value size = value_of_operand(subject, access->instr, operand);
    if (!value_is_constant(size) || size.offset <= 0) return;
    access->size = (uint32_t)size.offset;
    access->whole = true;
}

static void smem_add_copy(struct listing *l, struct smem_access like, struct str opcode)
{
    bool to_shared = instruction_opcode_has(opcode, ".shared::cluster.global") ||
                     instruction_opcode_has(opcode, ".shared::cta.global");
    bool from_shared = instruction_opcode_has(opcode, ".global.shared::cta") ||
                       instruction_opcode_has(opcode, ".shared::cluster.shared::cta");
    like.async = true;
    like.copy = true;
    like.writes = to_shared;
    if (!instruction_opcode_has(opcode, ".tensor")) set_size(l->subject, &like, 2);
    if (to_shared || from_shared) smem_add_access(l, like, from_shared, true);
}

static bool may_be_shared(const struct subject *subject, uint32_t instr)
{
    static const char *const others[] = {".global", ".local",        ".param",       ".const",
                                         ".async",  ".param::entry", ".param::func", ".bulk"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (instruction_has(subject, instr, others[i])) return false;
    return true;
}

/* cp.async without .bulk writes like st (ISA 9.7.9.25.1.2). */
static void add_small_copy(struct listing *l, struct smem_access like)
{
    like.writes = true;
    set_size(l->subject, &like, 2);
    smem_add_access(l, like, 0, true);
}

static void add_generic(struct listing *l, struct smem_access like, struct str base,
                        struct str opcode)
{
    if (str_starts(opcode, "cp.async.c")) {
        add_small_copy(l, like);
        return;
    }
    bool matrix = str_is(base, "ldmatrix") || str_is(base, "stmatrix");
    bool atomic = str_is(base, "atom"), store = str_starts(base, "st") || str_is(base, "red");
    if (!matrix && !atomic && !store && !str_is(base, "ld")) return;
    if (!may_be_shared(l->subject, like.instr)) return;
    like.writes = store || atomic;
    if (!matrix) like.size = smem_access_size(l->subject, like.instr, &like.whole);
    smem_add_access(l, like, !store, true);
}

static void smem_add_instr(struct listing *l, uint32_t instr)
{
    struct smem_access like = {.instr = instr, .size = UNKNOWN_SIZE};
    struct str opcode = instruction_opcode(l->subject, instr);
    enum effect effect = subject_effect(l->subject, instr);
    if (effect == EFFECT_ASYNC_MMA || effect == EFFECT_ASYNC_CP) {
        like.async = true;
        smem_add_access(l, like, 1, false);
        if (effect == EFFECT_ASYNC_MMA) smem_add_access(l, like, 2, false);
    } else if (str_starts(opcode, "wgmma.mma_async")) {
        like.async = true;
        add_descriptor(l, like, 1);
        add_descriptor(l, like, 2);
    } else if (str_starts(opcode, "cp.async.bulk.") || str_starts(opcode, "cp.reduce.async.bulk")) {
        smem_add_copy(l, like, opcode);
    } else if (str_starts(opcode, "clusterlaunchcontrol.try_cancel")) {
        like.async = like.copy = like.writes = like.whole = true;
        smem_add_access(l, like, 0, true);
    } else if (str_starts(opcode, "mbarrier.") || str_starts(opcode, "tcgen05.alloc")) {
        like.word = true;
        for (uint32_t operand = 0; operand < 3; operand++) smem_add_access(l, like, operand, true);
    } else {
        add_generic(l, like, instruction_base(l->subject, instr), opcode);
    }
}

const struct smem_accesses *smem_accesses_find(struct subject *subject)
{
    struct listing l = {.subject = subject};
    if (subject->accesses) return subject->accesses;
    for (uint32_t n = 0; n < subject->acting_count; n++) smem_add_instr(&l, subject->acting[n]);
    struct smem_accesses *kept = arena_alloc(subject->arena, 1, sizeof *kept);
    struct smem_access *at = arena_room(subject->arena, l.list.count, sizeof *at);
    if (l.list.count) memcpy(at, l.list.at, l.list.count * sizeof *at);
    *kept = (struct smem_accesses){at, l.list.count};
    vec_free(&l.list);
    subject->accesses = kept;
    return kept;
}

/* ---- ranges ---- */

/* Adds a term to the range: a part of the base, or a number with bounds. */
static bool smem_range_add_term(const struct subject *subject, const struct condition_set *set,
                                struct smem_range *range, uint32_t term, int64_t *most)
{
    const struct expr *e = value_expr(subject, (struct value){term, 0});
    int64_t low, high;
    if (e->fixed && e->of_block) {
        struct value sum =
            value_sum(subject, (struct value){range->base, 0}, (struct value){term, 0});
        range->base = sum.base;
        return !value_is_none(sum);
    }
    return numbers_bound(subject, set, (struct value){term, 0}, &low, &high) &&
           !__builtin_add_overflow(range->first, low, &range->first) &&
           !__builtin_add_overflow(*most, high, most);
}

struct smem_range smem_range_of(const struct subject *subject, const struct smem_access *access)
{
    const struct smem_range unknown = {.known = false};
    struct value address = value_of_operand(subject, access->instr, access->operand);
    if (access->descriptor || value_is_none(address)) return unknown;
    const struct condition_set *set = condition_pairs_set(subject, access->instr);
    struct smem_range range = {.known = true, .first = address.offset, .end = INT64_MAX};
    int64_t most = address.offset;
    uint32_t terms[EXPR_TERMS_MAX];
    uint32_t count = exprs_terms(values_exprs(subject), address.base, terms);
    for (uint32_t i = 0; i < count; i++)
        if (!smem_range_add_term(subject, set, &range, terms[i], &most)) return unknown;
    if (access->whole && __builtin_add_overflow(most, (int64_t)access->size, &range.end))
        range.end = INT64_MAX;
    return range;
}

bool smem_ranges_same(const struct smem_range *a, const struct smem_range *b)
{
    return a->known == b->known && a->base == b->base && a->first == b->first && a->end == b->end;
}

bool smem_ranges_apart(const struct smem_range *a, const struct smem_range *b)
{
    if (!a->known || !b->known || a->base != b->base) return false;
    return (a->end != INT64_MAX && a->end <= b->first) ||
           (b->end != INT64_MAX && b->end <= a->first);
}
