/* Finds waits for the commit behind an operation. See commit_wait.h. */
#include "lint/commit_wait.h"

#include "base/sorted.h"
#include "value/condition_pairs.h"

/* How many waits before the reader, and how many signals of each, are examined. */
enum { WAITS_MAX = 4, SIGNALS_MAX = 4 };

static bool elects_lane(const struct lint *lint, const struct condition_set *set, bool *numbered)
{
    bool elected = false;
    *numbered = false;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){set->at[i].base, 0});
        if (!set->at[i].holds) continue;
        elected |= e->kind == EXPR_ELECTED;
        *numbered |= e->kind == EXPR_EQ && e->spread == SPREAD_LANES;
    }
    return elected;
}

/* One instruction is executed by the lane that elect.sync chooses, the other by a lane with a given
 * number: it is not known whether they are the same lane. */
static bool other_lane(const struct lint *lint, uint32_t a, uint32_t b)
{
    bool x_numbered, y_numbered;
    bool x_elected = elects_lane(lint, condition_pairs_set(lint->subject, a), &x_numbered),
         y_elected = elects_lane(lint, condition_pairs_set(lint->subject, b), &y_numbered);
    return (x_elected && !x_numbered && y_numbered && !y_elected) ||
           (y_elected && !y_numbered && x_numbered && !x_elected);
}

bool commit_wait_tracks(const struct lint *lint, uint32_t op, const struct handover *h)
{
    return h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_COMMIT &&
           !other_lane(lint, op, h->instr);
}

/* The wait may be for a commit of the operation: for one of the next that follow it in the text. */
static bool may_be_for_commit(const struct lint *lint, uint32_t op, uint32_t wait)
{
    const struct handovers *all = lint->handovers;
    const struct handover_list *signals = handover_signals(lint, wait);
    uint32_t first = sorted_find(signals->at, 0, signals->count, handover_from(all, op));
    for (uint32_t s = first; s < signals->count && s < first + SIGNALS_MAX; s++) {
        const struct handover *h = &all->at[signals->at[s]];
        if (commit_wait_tracks(lint, op, h) && handover_reaches(lint, op, h->instr)) return true;
    }
    return false;
}

uint32_t commit_wait_before(const struct lint *lint, uint32_t op, uint32_t reader)
{
    const struct handovers *all = lint->handovers;
    uint32_t w = handover_from(all, reader);
    for (uint32_t waits = 0; w-- > 0 && waits < WAITS_MAX; waits++)
        if (all->at[w].waits && all->at[w].channel == CHANNEL_MBARRIER &&
            handover_reaches(lint, all->at[w].instr, reader) && may_be_for_commit(lint, op, w))
            return w;
    return all->count;
}

uint32_t commit_waits_for(const struct lint *lint, uint32_t op, uint32_t waits[COMMIT_WAITS])
{
    const struct handovers *all = lint->handovers;
    uint32_t first = handover_from(all, op), found = 0;
    lint_spend(lint, 1);
    for (uint32_t s = first; s < all->count && s < first + COMMIT_WAITS; s++) {
        if (!commit_wait_tracks(lint, op, &all->at[s]) ||
            !handover_reaches(lint, op, all->at[s].instr))
            continue;
        const struct handover_list *list = handover_waits(lint, s);
        if (list->count) waits[found++] = list->at[0];
    }
    return found;
}
