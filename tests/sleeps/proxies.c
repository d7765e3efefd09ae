#include "proxies.h"

#include <stdlib.h>

#include "../harness.h"
#include "lint/handover.h"
#include "lint/instruction.h"
#include "lint/smem.h"

enum { READS = 1, WRITES = 2 };

struct reach {
    const struct lint *lint;
    uint32_t except; /* a fence that ends no way */
    bool *at;        /* by instruction */
    struct VEC(uint32_t) open;
};

static bool is_fence(const struct lint *lint, uint32_t instr)
{
    return str_starts(instruction_opcode(lint, instr), "fence.proxy.async") &&
           !instruction_has(lint, instr, ".global");
}

static bool has(struct str opcode, const char *part)
{
    return memmem(opcode.p, opcode.n, part, strlen(part)) != NULL;
}

/* What it does to shared memory through the asynchronous proxy. */
static unsigned asynchronous(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint, instr);
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

/* … through the generic one, mbarriers apart. */
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
    struct str base = instruction_base(lint, instr), opcode = instruction_opcode(lint, instr);
    if (str_starts(opcode, "cp.async.ca.") || str_starts(opcode, "cp.async.cg.")) return WRITES;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (instruction_has(lint, instr, others[i])) return 0;
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

/* To other warps that wait for what this instruction signals. */
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

static void spread(struct reach *r)
{
    while (r->open.count) {
        uint32_t instr = r->open.at[--r->open.count];
        bool ends = is_fence(r->lint, instr) && instr != r->except &&
                    r->lint->function->instrs[instr].guard == REG_NONE;
        if (ends) continue;
        hand_over(r, instr);
        go_on(r, instr);
    }
}

/* ---- which places? ---- */

static bool is_slot_of_alloc(const struct lint *lint, uint32_t load)
{
    struct value place = value_of_operand(lint, load, 1);
    for (uint32_t i = 0; i + 1 < lint->function->count; i++) {
        if (!str_starts(instruction_opcode(lint, i), "tcgen05.alloc")) continue;
        struct value slot = value_of_operand(lint, i, 0);
        if (slot.base == place.base && slot.offset == place.offset) return true;
    }
    return false;
}

/* Where what the access touches begins: at the nearest known place up to it at which the
 * asynchronous proxy does something, or at which threads store what it loads, or load what it
 * stores. */
static int64_t object_of(const struct smem_list *all, const struct smem_access *access)
{
    int64_t begin = INT64_MIN;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct smem_access *other = &all->at[i];
        bool begins = other->async || other->writes != access->writes;
        if (!begins || other->base.base != access->base.base) continue;
        if (other->lowest <= access->lowest && other->lowest > begin) begin = other->lowest;
        if (other->ring && other->back <= access->lowest && other->back > begin)
            begin = other->back;
    }
    return begin;
}

static bool may_touch(const struct smem_list *all, const struct smem_access *access,
                      const struct smem_access *other)
{
    int64_t begin = object_of(all, access);
    return access->base.base != other->base.base || begin == INT64_MIN || begin == other->lowest ||
           begin == other->back || smem_overlap(access, other);
}

/* Descriptors or addresses of shared memory that an asynchronous operation names. */
static uint32_t places_of(const struct lint *lint, uint32_t instr)
{
    if (lint_effect(lint, instr) != EFFECT_ASYNC_MMA) return 1;
    return instruction_operand(lint, instr, 1).p[0] == '[' ? 1 : 2;
}

/* Both known, and of other objects: else they may touch the same. */
static bool may_meet(const struct lint *lint, const struct smem_list *all, uint32_t instr,
                     uint32_t async)
{
    uint32_t known = 0, pairs = 0;
    for (uint32_t i = 0; i < all->count; i++) known += all->at[i].instr == async;
    if (known < places_of(lint, async)) return true;
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->at[i].instr != instr) continue;
        for (uint32_t j = 0; j < all->count; j++) {
            if (all->at[j].instr != async) continue;
            if (may_touch(all, &all->at[i], &all->at[j])) return true;
            pairs++;
        }
    }
    return !pairs;
}

/* ---- the fence ---- */

/* What the asynchronous proxy does behind the fence: instructions. */
struct behind VEC(uint32_t);

static struct behind leads_to(const struct lint *lint, uint32_t fence)
{
    uint32_t count = lint->function->count;
    struct reach r = {.lint = lint, .except = fence, .at = must(calloc(count, sizeof *r.at))};
    struct behind found = {0};
    reach(&r, fence);
    spread(&r);
    for (uint32_t i = 0; i + 1 < count; i++)
        if (r.at[i] && asynchronous(lint, i)) vec_push(&found, i);
    free(r.at);
    vec_free(&r.open);
    return found;
}

/* Some of these must not run before the generic access. */
static bool is_needed(const struct lint *lint, const struct smem_list *all,
                      const struct behind *behind, uint32_t instr)
{
    unsigned does = generic(lint, instr);
    if (!does || (str_is(instruction_base(lint, instr), "ld") && is_slot_of_alloc(lint, instr)))
        return false;
    for (uint32_t i = 0; i < behind->count; i++) {
        unsigned async = asynchronous(lint, behind->at[i]);
        bool conflict = (does & WRITES && async & READS) || (does & READS && async & WRITES);
        if (conflict && may_meet(lint, all, instr, behind->at[i])) return true;
    }
    return false;
}

bool proxies_idle(const struct lint *lint, uint32_t fence)
{
    if (!is_fence(lint, fence) || !has(instruction_opcode(lint, fence), ".shared")) return false;
    uint32_t count = lint->function->count;
    struct reach r = {.lint = lint, .except = fence, .at = must(calloc(count, sizeof *r.at))};
    struct smem_list all = smem_find(lint);
    struct behind behind = leads_to(lint, fence);
    for (uint32_t i = 0; i + 1 < count; i++)
        if (is_needed(lint, &all, &behind, i)) reach(&r, i);
    spread(&r);
    bool idle = !r.at[fence];
    free(r.at);
    vec_free(&r.open);
    vec_free(&behind);
    vec_free(&all);
    return idle;
}
