/* Finds a multicast to a CTA without work, which ends without a wait. See cluster_idle.h.
 *
 *     @%idle ret; ...; cp.async.bulk ... .multicast::cluster       broken
 *     ...; barrier.cluster.arrive; barrier.cluster.wait; ret       right, also for idle CTAs
 *
 * A condition that is the same for all threads of a CTA decides whether the CTA has work. */
#include "lint/cluster_idle.h"

#include "value/instruction.h"

struct search {
    struct lint *lint;
    uint32_t multicast;
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
 * if it may come after the multicast. */
static bool waits_for_others(const struct search *s, uint32_t instr)
{
    const struct handover *h = handover_at(s->lint, instr);
    if (!h || !h->waits || h->channel == CHANNEL_CTA || h->channel == CHANNEL_WARP) return false;
    return h->channel != CHANNEL_CLUSTER || handover_reaches(s->lint, s->multicast, instr) ||
           !handover_reaches(s->lint, instr, s->multicast);
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

/* The value differs among the CTAs of a cluster. Those with one %ctaid.x may be in one cluster or
 * in several. */
static bool differs_in_cluster(const struct lint *lint, struct value v)
{
    if (value_is_none(v) || value_is_constant(v)) return false;
    const struct expr *e = value_expr(lint->subject, v);
    lint_spend(lint, 1);
    if (e->kind == EXPR_NAME) return str_starts(value_name(lint->subject, e->web), "%cluster_cta");
    bool keeps =
        e->kind == EXPR_EQ || e->kind == EXPR_LT_S || e->kind == EXPR_LT_U || e->kind == EXPR_SUM;
    return keeps && (differs_in_cluster(lint, e->a[0]) || differs_in_cluster(lint, e->a[1]));
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

/* A wait for others that comes after the multicast or with it; NO_INSTR: none. */
static uint32_t wait_of_busy(const struct search *s)
{
    const struct handovers *all = s->lint->handovers;
    lint_spend(s->lint, all->count);
    for (uint32_t i = 0; i < all->count; i++)
        if (waits_for_others(s, all->at[i].instr)) return all->at[i].instr;
    return NO_INSTR;
}

static bool is_multicast_to_idle(struct search *s, struct walk_path *path)
{
    const struct subject *subject = s->lint->subject;
    uint32_t wait = wait_of_busy(s);
    if (wait == NO_INSTR) return false;
    struct condition_set busy = conditions_of(subject, wait);
    struct condition_set sends = conditions_of(subject, s->multicast);
    for (uint32_t i = 0; i < busy.count; i++) {
        struct value c = {busy.at[i].base, 0};
        const struct expr *e = value_expr(subject, c);
        if (!e->fixed || !e->of_block) continue;
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
    for (uint32_t i = 0; i < peers->count; i++) {
        s.multicast = peers->at[i].instr;
        if (peers->at[i].kind != PEER_MULTICAST || !reaches_several(lint, s.multicast)) continue;
        if (!is_multicast_to_idle(&s, &path)) continue;
        lint_report(
            lint, (struct hazard){.code = code,
                                  .level = LINT_WARNING,
                                  .at = s.multicast,
                                  .witness = path.found,
                                  .says = "another CTA may have ended, at %s, before this reaches "
                                          "it[: a CTA without work waits for nothing]",
                                  .fix = "let each CTA execute barrier.cluster.arrive and "
                                         "barrier.cluster.wait, or wait for the multicast, "
                                         "before it ends",
                                  .path = path.instrs,
                                  .path_count = path.count});
        return;
    }
}
