/* Finds a multicast or store to a CTA without work, which ends without a wait. See cluster_idle.h.
 *
 *     @%idle ret; ...; cp.async.bulk ... .multicast::cluster       broken
 *     ...; barrier.cluster.arrive; barrier.cluster.wait; ret       right, also for idle CTAs
 *
 * A condition that is the same for all threads of a CTA decides whether the CTA has work. */
#include "lint/cluster_idle.h"

#include "value/instruction.h"

/* The most stores that are examined: all of a role have the same answer in most kernels. */
enum { STORES_MAX = 8 };

struct search {
    struct lint *lint;
    uint32_t access; /* to the shared memory of other CTAs */
};

/* The multicast names at least two CTAs by a constant mask, so one of them is another CTA. */
static bool reaches_several(const struct lint *lint, uint32_t instr)
{
    uint32_t operands = lint->function->instrs[instr].operand_count;
    for (uint32_t n = operands; n-- > 0;) {
        if (instruction_begins(lint->subject, instr, n) == '[') return false;
        struct value mask = value_of_operand(lint->subject, instr, n);
        if (!value_is_constant(mask)) continue;
        if (mask.offset & (mask.offset - 1)) return true;
    }
    return false;
}

/* A thread waits here for anything but threads of its own CTA. A barrier of the cluster counts only
 * if it may come after the access. */
static bool waits_for_others(const struct search *s, uint32_t instr)
{
    const struct handover *h = handover_at(s->lint, instr);
    if (!h || !h->waits || h->channel == CHANNEL_CTA || h->channel == CHANNEL_WARP) return false;
    return h->channel != CHANNEL_CLUSTER || handover_reaches(s->lint, s->access, instr) ||
           !handover_reaches(s->lint, instr, s->access);
}

static enum walk_does look_for_others(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    (void)lint, (void)state;
    return waits_for_others(context, instr) ? WALK_FOUND : WALK_ON;
}

static enum walk_does look_for_end(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    (void)context, (void)state;
    if (lint_effect(lint, instr) != EFFECT_EXIT) return WALK_ON;
    return instruction_is_trap(lint->subject, instr) ? WALK_END : WALK_FOUND;
}

static bool compares_or_adds(const struct expr *e)
{
    return e->kind == EXPR_EQ || e->kind == EXPR_LT_S || e->kind == EXPR_LT_U ||
           e->kind == EXPR_SUM;
}

/* The address of a load from global memory; VALUE_NONE: it is another load. A volatile or relaxed
 * load is a wait for others itself. */
static struct value loaded_from(const struct lint *lint, const struct expr *e)
{
    bool global = instruction_has(lint->subject, e->instr, ".global") &&
                  str_is(instruction_base(lint->subject, e->instr), "ld");
    return global ? value_of_operand(lint->subject, e->instr, 1) : VALUE_NONE;
}

/* All threads of a CTA have the same value: each loads it from one address. */
static bool idle_of_cta(const struct lint *lint, struct value v)
{
    if (value_is_none(v)) return false;
    if (value_is_constant(v)) return true;
    const struct expr *e = value_expr(lint->subject, v);
    lint_spend(lint, 1);
    if (e->kind == EXPR_LOADED) {
        struct value from = loaded_from(lint, e);
        return !value_is_none(from) && value_is_fixed(lint->subject, from) &&
               value_expr(lint->subject, from)->of_block;
    }
    if (e->fixed && e->of_block) return true;
    return compares_or_adds(e) && idle_of_cta(lint, e->a[0]) && idle_of_cta(lint, e->a[1]);
}

/* The address is another one in each CTA of the cluster. */
static bool follows_cta(const struct lint *lint, struct value v)
{
    if (value_is_none(v) || value_is_constant(v)) return false;
    const struct expr *e = value_expr(lint->subject, v);
    lint_spend(lint, 1);
    if (e->kind == EXPR_PRODUCT) return follows_cta(lint, e->a[0]);
    if (e->kind == EXPR_SUM) return follows_cta(lint, e->a[0]) || follows_cta(lint, e->a[1]);
    return e->kind == EXPR_NAME && (str_starts(value_name(lint->subject, e->web), "%cluster_cta") ||
                                    str_starts(value_name(lint->subject, e->web), "%ctaid"));
}

/* The value differs among the CTAs of a cluster. Those with one %ctaid.x may be in one cluster or
 * in several. */
static bool differs_in_cluster(const struct lint *lint, struct value v)
{
    if (value_is_none(v) || value_is_constant(v)) return false;
    const struct expr *e = value_expr(lint->subject, v);
    lint_spend(lint, 1);
    if (e->kind == EXPR_NAME) return str_starts(value_name(lint->subject, e->web), "%cluster_cta");
    if (e->kind == EXPR_LOADED) return follows_cta(lint, loaded_from(lint, e));
    return compares_or_adds(e) &&
           (differs_in_cluster(lint, e->a[0]) || differs_in_cluster(lint, e->a[1]));
}

/* Under the condition all threads of a CTA can end without a wait for others. */
static bool ends_at_once(struct search *s, struct value condition, bool holds,
                         struct walk_path *path)
{
    const uint32_t waits = 1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_ACQUIRE_MEMORY |
                           1u << EFFECT_BOTH_BARRIER | 1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_CALL;
    struct condition_set idle = {0};
    if (!condition_add(s->lint->subject, &idle, condition, holds)) return false;
    if (walk_under(s->lint, &idle, 0, waits, look_for_others, s, path) || path->gave_up)
        return false;
    return walk_under(s->lint, &idle, 0, 1u << EFFECT_EXIT, look_for_end, s, path) && !path->vague;
}

/* A wait for others that comes after the access or with it; NO_INSTR: none. */
static uint32_t wait_of_busy(const struct search *s)
{
    const struct handovers *all = s->lint->handovers;
    lint_spend(s->lint, all->count);
    for (uint32_t i = 0; i < all->count; i++)
        if (waits_for_others(s, all->at[i].instr)) return all->at[i].instr;
    return NO_INSTR;
}

static bool is_access_to_idle(struct search *s, struct walk_path *path)
{
    const struct subject *subject = s->lint->subject;
    uint32_t wait = wait_of_busy(s);
    if (wait == NO_INSTR) return false;
    struct condition_set busy = conditions_of(subject, wait);
    struct condition_set sends = conditions_of(subject, s->access);
    for (uint32_t i = 0; i < busy.count; i++) {
        struct value c = {busy.at[i].base, 0};
        if (!idle_of_cta(s->lint, c)) continue;
        bool also_sender = condition_truth(subject, &sends, c) != TRUTH_UNKNOWN;
        if (also_sender && !differs_in_cluster(s->lint, c)) continue;
        if (ends_at_once(s, c, !busy.at[i].holds, path)) return true;
    }
    return false;
}

void cluster_idle_find(struct lint *lint, const struct peers *peers, const struct lint_code *code)
{
    struct search s = {.lint = lint};
    struct walk_path path;
    uint32_t stored = 0;
    for (uint32_t i = 0; i < peers->count; i++) {
        s.access = peers->at[i].instr;
        enum peer_kind kind = peers->at[i].kind;
        bool stores = kind == PEER_STORE || kind == PEER_ASYNC;
        if (stores ? stored++ >= STORES_MAX
                   : kind != PEER_MULTICAST || !reaches_several(lint, s.access))
            continue;
        if (!is_access_to_idle(&s, &path)) continue;
        lint_report(
            lint, (struct hazard){.code = code,
                                  .level = LINT_WARNING,
                                  .at = s.access,
                                  .witness = path.found,
                                  .says = "another CTA may have ended, at %s, before this reaches "
                                          "it[: a CTA without work waits for nothing]",
                                  .fix = "let each CTA execute barrier.cluster.arrive and "
                                         "barrier.cluster.wait, or wait for this, before it "
                                         "ends",
                                  .path = path.instrs,
                                  .path_count = path.count});
        return;
    }
}
