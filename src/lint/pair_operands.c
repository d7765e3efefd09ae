/* Finds an mma of a CTA pair that does not wait for the operands in the other CTA. See
 * pair_operands.h.
 *
 * An mma with .cta_group::2 reads the shared memory of both CTAs. If each CTA copies its operands
 * with an mbarrier of its own, the CTA that does not issue the mma must forward the signal. */
#include "lint/pair_operands.h"

#include "lint/smem_place.h"
#include "value/instruction.h"

struct search {
    struct lint *lint;
    const struct peers *peers;
    struct smem_places places;
};

/* ---- the copy ---- */

/* The value differs, or may differ, between the CTAs of the pair. */
static bool is_of_cta(const struct lint *lint, struct value v)
{
    if (value_is_none(v)) return true;
    if (value_is_constant(v)) return false;
    const struct expr *e = value_expr(lint->subject, v);
    lint_spend(lint, 1);
    if (e->kind == EXPR_NAME) {
        struct str name = value_name(lint->subject, e->web);
        return str_starts(name, "%ctaid") || str_starts(name, "%cluster_cta");
    }
    if (e->kind == EXPR_PARAMETER || e->kind == EXPR_ELECTED) return false;
    if (e->kind == EXPR_LOADED || e->kind == EXPR_REG) return true;
    for (int i = 0; i < 3; i++)
        if (is_of_cta(lint, e->a[i])) return true;
    return false;
}

/* If a thread of one CTA executes the instruction, a thread of the other one does so, too. */
static bool is_in_both(const struct lint *lint, uint32_t instr)
{
    struct condition_set set = conditions_of(lint->subject, instr);
    if (set.lost) return false;
    for (uint32_t i = 0; i < set.count; i++)
        if (is_of_cta(lint, (struct value){set.at[i].base, 0})) return false;
    return true;
}

/* The copy signals a known mbarrier of the own CTA only. */
static bool is_for_own_cta(const struct lint *lint, const struct barrier_use *use)
{
    struct str opcode = instruction_opcode(lint->subject, use->instr);
    return use->kind == BARRIER_COPY && !use->remote && !value_is_none(use->object) &&
           instruction_opcode_has(opcode, ".shared::cta.global") &&
           !instruction_has(lint->subject, use->instr, ".cta_group::2");
}

/* ---- the signal to the other CTA ---- */

/* The signal is certainly for an mbarrier of the own CTA. */
static bool is_for_own(const struct search *s, const struct handover *signal)
{
    const struct subject *subject = s->lint->subject;
    bool other = signal->use->remote || peer_at(s->peers, signal->instr);
    return instruction_has(subject, signal->instr, ".shared") ||
           instruction_has(subject, signal->instr, ".shared::cta") ||
           (signal->use->variable && !other);
}

static bool pair_operands_is_awaited(const struct search *s, const struct handover *signal)
{
    const struct handovers *all = s->lint->handovers;
    const struct peer_access *peer = peer_at(s->peers, signal->instr);
    if (value_is_none(signal->use->object) && !peer) return true;
    lint_spend(s->lint, all->count);
    for (uint32_t i = 0; i < all->count; i++)
        if (peer ? peer_may_meet(s->peers, peer, &all->at[i])
                 : all->at[i].waits && handover_may_meet(s->lint, signal, &all->at[i]))
            return true;
    return false;
}

/* A thread that has executed first may come to second, or make another thread of its CTA come to it
 * by a barrier. */
static bool leads_to(const struct search *s, uint32_t first, uint32_t second)
{
    const struct handovers *all = s->lint->handovers;
    if (handover_reaches(s->lint, first, second)) return true;
    lint_spend(s->lint, all->count);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i].channel == CHANNEL_CTA &&
            handover_reaches(s->lint, first, all->at[i].instr) &&
            handover_reaches(s->lint, all->at[i].instr, second))
            return true;
    return false;
}

/* A thread that has waited for the copy may signal, at the handover, a thread of the other CTA. */
static bool may_forward(const struct search *s, const struct handover *copy,
                        const struct handover *signal)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover_list *waits = handover_waits(s->lint, (uint32_t)(copy - all->at));
    for (uint32_t i = 0; i < waits->count; i++)
        if (leads_to(s, all->at[waits->at[i]].instr, signal->instr)) return true;
    return false;
}

/* The thread that issues the mma may learn that the copy in the other CTA is complete. */
static bool may_be_told(const struct search *s, const struct handover *copy, uint32_t mma)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *h = &all->at[i];
        bool between = h->waits && handover_reaches(lint, copy->instr, h->instr) &&
                       handover_reaches(lint, h->instr, mma);
        if (h->channel == CHANNEL_UNKNOWN || h->channel == CHANNEL_FLAG) return true;
        if (h->channel == CHANNEL_CLUSTER && between) return true;
        if (h->channel != CHANNEL_MBARRIER || !h->signals) continue;
        if (h->use->kind == BARRIER_COMMIT) continue;
        if (is_for_own(s, h)) continue;
        if (pair_operands_is_awaited(s, h) && may_forward(s, copy, h)) return true;
    }
    return false;
}

/* ---- the search ---- */

static bool is_operand_of_pair(const struct lint *lint, const struct smem_place *place)
{
    return lint_effect(lint, place->instr) == EFFECT_ASYNC_MMA && !place->writes &&
           instruction_has(lint->subject, place->instr, ".cta_group::2");
}

/* The first mma of a pair that reads what the copy writes; NO_INSTR: none. */
static uint32_t mma_of_copy(const struct search *s, const struct smem_place *copy)
{
    lint_spend(s->lint, s->places.count);
    for (uint32_t i = 0; i < s->places.count; i++)
        if (is_operand_of_pair(s->lint, &s->places.at[i]) &&
            smem_places_meet(copy, &s->places.at[i]))
            return s->places.at[i].instr;
    return NO_INSTR;
}

static bool check_copy(const struct search *s, const struct smem_place *copy,
                       const struct lint_code *code)
{
    struct lint *lint = s->lint;
    const struct barrier_use *use = barriers_at(lint->subject, copy->instr);
    const struct handover *signal = handover_at(lint, copy->instr);
    if (!copy->copy || !copy->writes || !use || !signal || !is_for_own_cta(lint, use)) return false;
    uint32_t mma = mma_of_copy(s, copy);
    if (mma == NO_INSTR || !is_in_both(lint, copy->instr) || may_be_told(s, signal, mma))
        return false;
    lint_report(
        lint,
        (struct hazard){.code = code,
                        .level = LINT_WARNING,
                        .at = mma,
                        .witness = copy->instr,
                        .says = "no signal of the other CTA of the pair says that its copy at %s "
                                "is complete[: this mma reads the shared memory of both CTAs]",
                        .fix = "let the copy of each CTA signal the mbarrier of the CTA that "
                               "issues the mma, or let the other CTA wait for its copy and arrive "
                               "there with .release.cluster"});
    return true;
}

void pair_operands_find(struct lint *lint, const struct peers *peers, const struct lint_code *code)
{
    struct search s = {.lint = lint, .peers = peers};
    bool any = false;
    for (uint32_t i = 0; i < lint->subject->barriers->count && !any; i++)
        any = is_for_own_cta(lint, &lint->subject->barriers->uses[i]);
    if (!any) return;
    s.places = smem_places_find(lint);
    for (uint32_t i = 0; i < s.places.count; i++)
        if (check_copy(&s, &s.places.at[i], code)) return;
}
