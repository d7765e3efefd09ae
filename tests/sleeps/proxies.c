#include "proxies.h"

#include <stdlib.h>

#include "../harness.h"
#include "value/barriers.h"
#include "lint/arrays.h"
#include "lint/handover.h"
#include "value/instruction.h"
#include "lint/smem_place.h"

enum { READS = 1, WRITES = 2 };

struct reach {
    const struct lint *lint;
    uint32_t except; /* a fence that ends no path */
    const struct smem_places
        *all; /* a path ends at a copy, or a wait for one, that writes what … */
    const struct smem_place *read; /* … this reads; NULL: no copy does */
    bool behind;                   /* after the fence, a generic store ends it too */
    bool *at;                      /* by instruction */
    struct VEC(uint32_t) open;
};

static bool is_fence(const struct lint *lint, uint32_t instr)
{
    return str_starts(instruction_opcode(lint->subject, instr), "fence.proxy.async") &&
           !instruction_has(lint->subject, instr, ".global");
}

static bool has(struct str opcode, const char *part)
{
    return memmem(opcode.p, opcode.n, part, strlen(part)) != NULL;
}

/* Its access to shared memory through the asynchronous proxy. */
static unsigned asynchronous(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    enum effect effect = lint_effect(lint, instr);
    if (effect == EFFECT_ASYNC_MMA || effect == EFFECT_ASYNC_CP) return READS;
    if (str_starts(opcode, "clusterlaunchcontrol.try_cancel")) return WRITES;
    if (!str_starts(opcode, "cp.async.bulk.") && !str_starts(opcode, "cp.reduce.async.bulk"))
        return 0;
    bool to_shared = has(opcode, ".shared::cluster.") || has(opcode, ".shared::cta.global");
    bool from_shared =
        has(opcode, ".global.shared::cta") || has(opcode, ".shared::cluster.shared::cta");
    return (to_shared ? WRITES : 0) | (from_shared ? READS : 0);
}

/* … through the generic one, except mbarriers. */
static unsigned generic(const struct lint *lint, uint32_t instr)
{
    static const char *const others[] = {".global", ".local", ".param", ".const"};
    static const struct {
        const char *base;
        unsigned does;
    } rows[] = {
        {"ld", READS},        {"ldu", READS},          {"ldmatrix", READS},      {"st", WRITES},
        {"stmatrix", WRITES}, {"red", WRITES},         {"atom", READS | WRITES}, {"mma", READS},
        {"wmma", READS},      {"call", READS | WRITES}};
    struct str base = instruction_base(lint->subject, instr),
               opcode = instruction_opcode(lint->subject, instr);
    if (instruction_has(lint->subject, instr, ".async")) return 0;
    if (str_starts(opcode, "cp.async.ca.") || str_starts(opcode, "cp.async.cg.")) return WRITES;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (instruction_has(lint->subject, instr, others[i])) return 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_is(base, rows[i].base)) return rows[i].does;
    return 0;
}

static void reach(struct reach *r, uint32_t instr)
{
    if (r->at[instr]) return;
    r->at[instr] = true;
    vec_push(&r->open, instr);
}

/* Continues in other warps that wait for the signal of this instruction. */
static void hand_over(struct reach *r, uint32_t instr)
{
    const struct handovers *all = r->lint->handovers;
    const struct handover *signal = handover_at(r->lint, instr);
    if (!signal || !signal->signals) return;
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i].waits && handover_may_meet(r->lint, signal, &all->at[i]) &&
            handover_more_warps(r->lint, instr, all->at[i].instr))
            reach(r, all->at[i].instr);
}

static void go_on(struct reach *r, uint32_t instr)
{
    const struct cfg *cfg = r->lint->cfg;
    struct VEC(uint32_t) blocks = {0};
    if (cfg->blocks[cfg->block_of[instr]].end > instr + 1) {
        reach(r, instr + 1);
        return;
    }
    vec_push(&blocks, cfg->block_of[instr]);
    while (blocks.count) {
        const struct block *block = &cfg->blocks[blocks.at[--blocks.count]];
        for (uint32_t s = 0; s < block->succ_count; s++) {
            uint32_t next = cfg->succs[block->first_succ + s];
            if (cfg->blocks[next].first < cfg->blocks[next].end)
                reach(r, cfg->blocks[next].first);
            else
                vec_push(&blocks, next);
        }
    }
    vec_free(&blocks);
}

static bool is_for(const struct lint *lint, const struct barrier_use *use,
                   const struct barrier_use *wait)
{
    return barriers_same(use, wait) || arrays_likely_same(lint, use, wait);
}

static bool is_at(const struct smem_place *access, const struct smem_place *read)
{
    return access->base.base == read->base.base && access->lowest == read->lowest &&
           access->back == read->back;
}

/* It stores to the start of what is read after it. */
static bool stores_anew(const struct reach *r, uint32_t instr)
{
    for (uint32_t i = 0; i < r->all->count; i++) {
        const struct smem_place *store = &r->all->at[i];
        bool at = is_at(store, r->read) ||
                  (store->base.base == r->read->base.base && store->object == r->read->lowest);
        if (store->instr == instr && !store->async && store->writes && at) return true;
    }
    return false;
}

/* It is a copy to exactly the place that is read after it, or waits for one. */
static bool brings(const struct reach *r, uint32_t instr)
{
    const struct barrier_use *wait = r->read ? barriers_at(r->lint->subject, instr) : NULL;
    if (r->read && r->behind && generic(r->lint, instr) & WRITES) return stores_anew(r, instr);
    if (!wait || (wait->kind != BARRIER_WAIT && wait->kind != BARRIER_COPY)) return false;
    for (uint32_t i = 0; i < r->all->count; i++) {
        const struct smem_place *copy = &r->all->at[i];
        const struct barrier_use *use = barriers_at(r->lint->subject, copy->instr);
        bool fills = copy->copy && copy->writes && is_at(copy, r->read);
        if (!fills || !use) continue;
        if (wait->kind == BARRIER_COPY ? copy->instr == instr : is_for(r->lint, use, wait))
            return true;
    }
    return false;
}

static void spread(struct reach *r)
{
    while (r->open.count) {
        uint32_t instr = r->open.at[--r->open.count];
        bool ends = is_fence(r->lint, instr) && instr != r->except &&
                    r->lint->function->instrs[instr].guard == REG_NONE;
        if (ends || brings(r, instr)) continue;
        hand_over(r, instr);
        go_on(r, instr);
    }
}

/* ---- places ---- */

static bool is_slot_of_alloc(const struct lint *lint, uint32_t load)
{
    struct value place = value_of_operand(lint->subject, load, 1);
    for (uint32_t i = 0; i + 1 < lint->function->count; i++) {
        if (!str_starts(instruction_opcode(lint->subject, i), "tcgen05.alloc")) continue;
        struct value slot = value_of_operand(lint->subject, i, 0);
        if (slot.base == place.base && slot.offset == place.offset) return true;
    }
    return false;
}

/* The start of the object that the access touches: the nearest known place, not after the access,
 * at which the asynchronous proxy accesses memory, or at which threads store what it loads, or load
 * what it stores. */
static int64_t object_of(const struct smem_places *all, const struct smem_place *access)
{
    int64_t begin = INT64_MIN;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct smem_place *other = &all->at[i];
        bool begins = other->async || other->writes != access->writes;
        if (!begins || other->base.base != access->base.base) continue;
        if (other->lowest <= access->lowest && other->lowest > begin) begin = other->lowest;
        if (other->ring && other->back <= access->lowest && other->back > begin)
            begin = other->back;
    }
    return begin;
}

static bool may_touch(const struct smem_places *all, const struct smem_place *access,
                      const struct smem_place *other)
{
    int64_t begin = object_of(all, access), end = access->first + access->size;
    bool fixed = access->base.base == other->base.base && !access->lanes && !access->moves;
    if (fixed && end <= other->lowest && end <= other->back) return false;
    return access->base.base != other->base.base || begin == INT64_MIN || begin == other->lowest ||
           begin == other->back || smem_places_meet(access, other);
}

/* Descriptors or addresses of shared memory that an asynchronous operation names. */
static uint32_t places_of(const struct lint *lint, uint32_t instr)
{
    if (lint_effect(lint, instr) != EFFECT_ASYNC_MMA) return 1;
    return instruction_operand(lint->subject, instr, 1).p[0] == '[' ? 1 : 2;
}

/* The asynchronous operation may touch it; NULL: that is not known. */
static bool may_meet(const struct smem_places *all, uint32_t instr, const struct smem_place *async)
{
    bool known = false;
    for (uint32_t i = 0; async && i < all->count; i++) {
        if (all->at[i].instr != instr) continue;
        if (may_touch(all, &all->at[i], async)) return true;
        known = true;
    }
    return !known;
}

/* ---- the fence ---- */

struct question {
    const struct lint *lint;
    const struct smem_places *all;
    uint32_t fence;
};

static struct reach begin(const struct question *q, const struct smem_place *async)
{
    struct reach r = {.lint = q->lint, .except = q->fence, .all = q->all};
    if (async && !async->writes) r.read = async;
    r.at = must(calloc(q->lint->function->count, sizeof *r.at));
    return r;
}

static void end(struct reach *r)
{
    free(r->at);
    vec_free(&r->open);
}

/* Some path leads from the fence to the operation, and nothing fills the place on it. */
static bool leads_to(const struct question *q, uint32_t instr, const struct smem_place *async)
{
    struct reach r = begin(q, async);
    r.behind = true;
    reach(&r, q->fence);
    spread(&r);
    bool leads = r.at[instr];
    end(&r);
    return leads;
}

static bool conflicts(const struct lint *lint, uint32_t instr, unsigned async)
{
    unsigned does = generic(lint, instr);
    if (str_is(instruction_base(lint->subject, instr), "ld") && is_slot_of_alloc(lint, instr))
        return false;
    return (does & WRITES && async & READS) || (does & READS && async & WRITES);
}

/* Some path leads from a generic access that must not be overtaken to the fence. */
static bool comes_from(const struct question *q, unsigned does, const struct smem_place *async)
{
    struct reach r = begin(q, async);
    for (uint32_t i = 0; i + 1 < q->lint->function->count; i++)
        if (conflicts(q->lint, i, does) && may_meet(q->all, i, async)) reach(&r, i);
    spread(&r);
    bool comes = r.at[q->fence];
    end(&r);
    return comes;
}

static bool is_needed(const struct question *q, uint32_t instr, const struct smem_place *async)
{
    return leads_to(q, instr, async) && comes_from(q, asynchronous(q->lint, instr), async);
}

/* … by one of the named places, or by an unknown one. */
static bool is_needed_by(const struct question *q, uint32_t instr)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < q->all->count; i++) {
        if (q->all->at[i].instr != instr) continue;
        if (is_needed(q, instr, &q->all->at[i])) return true;
        known++;
    }
    return known < places_of(q->lint, instr) && is_needed(q, instr, NULL);
}

bool proxies_idle(struct lint *lint, uint32_t fence)
{
    if (!is_fence(lint, fence) || !has(instruction_opcode(lint->subject, fence), ".shared"))
        return false;
    struct smem_places all = smem_places_find(lint);
    struct question q = {lint, &all, fence};
    struct reach behind = begin(&q, NULL);
    bool needed = false;
    reach(&behind, fence);
    spread(&behind);
    for (uint32_t i = 0; i + 1 < lint->function->count && !needed; i++)
        needed = behind.at[i] && asynchronous(lint, i) && is_needed_by(&q, i);
    end(&behind);
    vec_free(&all);
    return !needed;
}
