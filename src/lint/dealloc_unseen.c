/* Decides whether tensor memory can be freed in some launch without any thread having waited for an
 * mma. See dealloc_unseen.h. */
#include "lint/dealloc_unseen.h"

#include "lint/handover.h"
#include "value/instruction.h"

enum { WAITS = 1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_CALL };

static bool is_commit_of(const struct lint *lint, const struct handover *h, uint32_t mma)
{
    return h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_COMMIT &&
           handover_reaches(lint, mma, h->instr);
}

/* False if there is no commit, which is another finding, or if a call may hide one. */
static bool find_waits_for_mma(const struct lint *lint, uint32_t mma, bool *waits)
{
    const struct handovers *all = lint->handovers;
    bool any = false;
    for (uint32_t s = 0; s < all->count; s++) {
        if (all->at[s].channel == CHANNEL_UNKNOWN) return false;
        if (!is_commit_of(lint, &all->at[s], mma)) continue;
        any = true;
        const struct handover_list *met = handover_waits(lint, s);
        for (uint32_t w = 0; w < met->count; w++) waits[met->at[w]] = true;
    }
    return any;
}

static bool is_unseen_wait(const struct unseen *u, const struct lint *lint, uint32_t instr)
{
    const struct handover *h = handover_at(lint, instr);
    return h && u->waits[h - lint->handovers->at];
}

static enum walk_does look_for_unseen_end(void *context, const struct lint *lint, uint32_t instr,
                                          unsigned *state)
{
    const struct unseen *u = context;
    (void)state;
    if (is_unseen_wait(u, lint, instr) || lint_effect(lint, instr) == EFFECT_CALL ||
        instruction_is_trap(lint->subject, instr))
        return WALK_END;
    bool ends = lint_effect(lint, instr) == EFFECT_EXIT || instr == u->dealloc;
    return ends ? WALK_FOUND : WALK_ON;
}

static enum walk_does look_for_any_wait(void *context, const struct lint *lint, uint32_t instr,
                                        unsigned *state)
{
    (void)state;
    return is_unseen_wait(context, lint, instr) ? WALK_FOUND : WALK_ON;
}

static enum walk_does look_for_this_dealloc(void *context, const struct lint *lint, uint32_t instr,
                                            unsigned *state)
{
    const struct unseen *u = context;
    (void)lint, (void)state;
    return instr == u->dealloc ? WALK_FOUND : WALK_ON;
}

/* The conditions that have the same value in all threads of the CTA. */
static struct condition_set common_part(const struct lint *lint, const struct condition_set *set)
{
    struct condition_set common = {0};
    for (uint32_t i = 0; i < set->count; i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){set->at[i].base, 0});
        if (e->fixed && e->of_block) common.at[common.count++] = set->at[i];
    }
    return common;
}

/* Under the conditions some thread can reach such a wait, or the search took too long. */
static bool reaches_wait(const struct lint *lint, const struct condition_set *common,
                         struct unseen *unseen, struct unseen_answer *last)
{
    size_t size = lint->handovers->count * sizeof *unseen->waits;
    struct walk_path path;
    lint_spend(lint, size / 8 + 1);
    if (last->waits && !memcmp(last->waits, unseen->waits, size) &&
        conditions_same(&last->common, common))
        return last->reached;
    last->waits = unseen->waits;
    last->common = *common;
    last->reached =
        walk_under(lint, common, 0, WAITS, look_for_any_wait, unseen, &path) || path.gave_up;
    return last->reached;
}

/* A path from the mma to the end, or to the dealloc, has no such wait. */
static bool ends_unseen(const struct lint *lint, uint32_t mma, const struct unseen *unseen,
                        struct unseen_answer *last, struct walk_path *path)
{
    const uint32_t ends = WAITS | 1 << EFFECT_EXIT | 1 << EFFECT_ALLOC;
    size_t size = lint->handovers->count * sizeof *unseen->waits;
    bool same = last->ends.memory && last->asked.dealloc == unseen->dealloc &&
                !memcmp(last->asked.waits, unseen->waits, size);
    lint_spend(lint, size / 8 + 1);
    if (!same) {
        walk_question_end(lint, &last->ends);
        last->asked = *unseen;
        last->ends = (struct walk_question){ends, look_for_unseen_end, &last->asked, NULL};
    }
    return walk_question_find(lint, &last->ends, mma, 0, path);
}

void dealloc_unseen_report(struct lint *lint, const struct lint_code *code, uint32_t dealloc,
                           uint32_t mma, struct unseen_answer *last)
{
    bool *waits = arena_alloc(lint->arena, lint->handovers->count, sizeof *waits);
    struct unseen unseen = {waits, dealloc};
    struct walk_path path, other;
    lint_spend(lint, lint->handovers->count);
    if (!find_waits_for_mma(lint, mma, waits)) return;
    if (!ends_unseen(lint, mma, &unseen, last, &path) || path.vague) return;
    struct condition_set common = common_part(lint, &path.set);
    if (reaches_wait(lint, &common, &unseen, last)) return;
    if (!walk_towards(lint, &common, dealloc, 1 << EFFECT_ALLOC, look_for_this_dealloc, &unseen,
                      &other))
        return;
    lint_report(lint, (struct hazard){code, LINT_WARNING, dealloc, mma,
                                      "this frees columns that %s may still use[: on this path no "
                                      "thread waits for its commit]",
                                      "wait for the mbarrier of the tcgen05.commit after %s on "
                                      "each path to the dealloc",
                                      path.instrs, path.count, NULL});
}
