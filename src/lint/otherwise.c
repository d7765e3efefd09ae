/* Looks for waits that may order two instructions otherwise than by one signal. See otherwise.h. */
#include "lint/otherwise.h"

#include "base/intervals.h"
#include "base/sorted.h"
#include "base/vec.h"
#include "lint/cluster_rank.h"
#include "lint/round_late.h"
#include "lint/tells.h"
#include "value/condition_pairs.h"

/* All threads meet at the barrier, and no thread executes instr before it: a signal that follows
 * instr cannot end this wait. */
static bool is_only_before_meeting(const struct lint *lint, const struct handover *meeting,
                                   uint32_t instr)
{
    bool all = (meeting->channel == CHANNEL_CTA && meeting->signals) ||
               (meeting->channel == CHANNEL_CLUSTER &&
                condition_pairs_set(lint->subject, meeting->instr)->count == 0);
    return all && handover_reaches(lint, meeting->instr, instr) &&
           !handover_reaches(lint, instr, meeting->instr);
}

/* The two are at mbarriers of the own CTA, in different CTAs of the cluster. */
static bool are_of_other_ctas(const struct lint *lint, const struct handover *signal,
                              const struct handover *wait)
{
    return signal->channel == CHANNEL_MBARRIER && wait->channel == CHANNEL_MBARRIER &&
           !signal->use->remote && !cluster_rank_may_share(lint, signal->instr, wait->instr);
}

/* round_late. Clears *alike if that depends on second. */
static bool is_signal_late(const struct lint *lint, uint32_t first, uint32_t second,
                           uint32_t signal, bool *alike)
{
    if (!round_may_be_late(lint, first, signal)) return false;
    *alike = false;
    return round_late(lint, first, second, signal);
}

/* The wait, number w of all->at, may order second after first: a thread that has executed first may
 * signal for it. until: as in otherwise_ordered_from. Clears *alike if that depends on more of
 * second than on the waits that reach it and on its conditions. */
static bool find_order(const struct lint *lint, uint32_t w, uint32_t first, uint32_t second,
                       uint32_t until, bool *alike)
{
    const struct handovers *all = lint->handovers;
    const struct handover *wait = &all->at[w];
    if (!otherwise_until(lint, wait, until)) return false;
    if (is_only_before_meeting(lint, wait, first)) return false;
    /* bar.warp.sync orders only the lanes of its own warp. */
    if (wait->channel == CHANNEL_WARP &&
        (handover_more_warps(lint, first, second) || handover_of_fewer_warps(lint, first, second)))
        return false;
    /* A wait in the warp of `first` orders nothing for the other warps that execute `second`. */
    if (!condition_pairs_other_warp(lint->subject, first, wait->instr) &&
        handover_of_fewer_warps(lint, wait->instr, second))
        return false;
    const struct handover_list *signals = handover_signals(lint, w);
    const uint64_t *behind = handover_behind_again(lint, first);
    for (uint32_t s = 0; s < signals->count; s++) {
        uint32_t i = signals->at[s];
        const struct handover *signal = &all->at[i];
        if ((behind ? behind[i / 64] >> (i % 64) & 1
                    : handover_reaches(lint, first, signal->instr)) &&
            !handover_likely_others(lint, signal, wait) &&
            !is_signal_late(lint, first, second, i, alike) &&
            !are_of_other_ctas(lint, signal, wait))
            return true;
    }
    return false;
}

static bool is_order(const struct lint *lint, uint32_t w, uint32_t first, uint32_t second,
                     uint32_t until)
{
    bool alike;
    return find_order(lint, w, first, second, until, &alike);
}

bool otherwise_counts(const struct lint *lint, const struct handover *but,
                      const struct handover *wait, bool likely)
{
    /* Lanes that meet at bar.warp.sync do not learn that operations are complete for which only a
     * commit signals. */
    bool commit = but && but->use && but->use->kind == BARRIER_COMMIT;
    if (commit && wait->channel == CHANNEL_WARP) return false;
    return wait != but && !handover_is_for(lint, but, wait, likely);
}

bool otherwise_until(const struct lint *lint, const struct handover *wait, uint32_t until)
{
    return wait->channel == CHANNEL_FLAG || handover_reaches(lint, wait->instr, until);
}

/* As otherwise_first, and clears *alike as find_order does. */
static uint32_t find_first(const struct lint *lint, uint32_t first, uint32_t second, bool *alike)
{
    const struct handover_list *waits = handover_waits_before(lint, second);
    uint32_t w = sorted_find(waits->at, 0, waits->count, tells_from(lint, first));
    for (; w < waits->count; w++)
        if (find_order(lint, waits->at[w], first, second, second, alike)) return waits->at[w];
    return lint->handovers->count;
}

uint32_t otherwise_first(const struct lint *lint, uint32_t first, uint32_t second)
{
    bool alike;
    return find_first(lint, first, second, &alike);
}

uint32_t otherwise_first_again(const struct lint *lint, struct otherwise_last *last, uint32_t first,
                               uint32_t second)
{
    const struct handover_list *waits = handover_waits_before(lint, second);
    uint32_t set = condition_pairs_number(lint->subject, second);
    if (last->alike && last->waits == waits && last->set == set) return last->order;
    *last = (struct otherwise_last){waits, set, 0, true};
    return last->order = find_first(lint, first, second, &last->alike);
}

/* The wait is for a signal of an earlier round than that of `but`. */
static bool is_of_earlier_round(const struct lint *lint, uint32_t second,
                                const struct handover *but, const struct handover *wait)
{
    return but &&
           (round_before(lint, second, but, wait) || round_ring_before(lint, second, but, wait));
}

bool otherwise_ordered_from(const struct lint *lint, uint32_t first, uint32_t second,
                            const struct handover *but, uint32_t until, bool likely, uint32_t from)
{
    const struct handovers *all = lint->handovers;
    const struct handover_list *waits = handover_waits_before(lint, second);
    uint32_t told = tells_from(lint, first);
    uint32_t w = sorted_find(waits->at, 0, waits->count, told > from ? told : from);
    for (; w < waits->count; w++)
        if (otherwise_counts(lint, but, &all->at[waits->at[w]], likely) &&
            is_order(lint, waits->at[w], first, second, until) &&
            !is_of_earlier_round(lint, second, but, &all->at[waits->at[w]]))
            return true;
    return false;
}

static struct otherwise_pair *otherwise_pair_of(const struct lint *lint,
                                                struct otherwise_known *known, uint32_t first,
                                                uint32_t second)
{
    struct str name = {(const char *)&second, sizeof second};
    uint32_t number = intern_find(&known->pairs, first, name);
    if (number != INTERN_NONE) return &known->at.at[number];
    name.p = arena_copy(lint->arena, name.p, name.n);
    number = intern_add(&known->pairs, first, name);
    uint32_t examined =
        sorted_find(handover_waits_before(lint, second)->at, 0,
                    handover_waits_before(lint, second)->count, tells_from(lint, first));
    vec_push(&known->at, ((struct otherwise_pair){.examined = examined}));
    return &known->at.at[number];
}

/* The next of the waits that may order the pair. */
static bool next_of_pair(const struct lint *lint, struct otherwise_pair *pair, uint32_t first,
                         uint32_t second, uint32_t next)
{
    const struct handover_list *waits = handover_waits_before(lint, second);
    while (next == pair->waits.count && pair->examined < waits->count) {
        uint32_t wait = waits->at[pair->examined++];
        if (is_order(lint, wait, first, second, second)) vec_push(&pair->waits, wait);
    }
    return next < pair->waits.count;
}

bool otherwise_ordered_again(const struct lint *lint, struct otherwise_known *known, uint32_t first,
                             uint32_t second, const struct handover *but, bool likely)
{
    struct otherwise_pair *pair = otherwise_pair_of(lint, known, first, second);
    for (uint32_t i = 0; next_of_pair(lint, pair, first, second, i); i++) {
        const struct handover *wait = &lint->handovers->at[pair->waits.at[i]];
        lint_spend(lint, 1);
        if (otherwise_counts(lint, but, wait, likely) &&
            !is_of_earlier_round(lint, second, but, wait))
            return true;
    }
    return false;
}

void otherwise_forget(struct otherwise_known *known)
{
    for (uint32_t i = 0; i < known->at.count; i++) vec_free(&known->at.at[i].waits);
    vec_free(&known->at);
    intern_free(&known->pairs);
}

bool otherwise_ordered(const struct lint *lint, uint32_t first, uint32_t second,
                       const struct handover *but)
{
    return otherwise_ordered_from(lint, first, second, but, second, false, 0);
}

/* Marks the waits that may be for a signal that is reached from the instruction, and adds those to
 * next that were not marked. */
static void mark_told(const struct lint *lint, uint32_t from, bool *told, struct item_list *next)
{
    const struct handovers *all = lint->handovers;
    for (uint32_t s = 0; s < all->count; s++) {
        if (!all->at[s].signals || all->at[s].channel == CHANNEL_WARP) continue;
        if (!handover_reaches(lint, from, all->at[s].instr)) continue;
        const struct handover_list *waits = handover_waits(lint, s);
        lint_spend(lint, waits->count / 8);
        for (uint32_t w = 0; w < waits->count; w++) {
            uint32_t wait = waits->at[w];
            if (told[wait] || handover_likely_others(lint, &all->at[s], &all->at[wait])) continue;
            told[wait] = true;
            vec_push(next, wait);
        }
    }
}

bool otherwise_told_by_others(const struct lint *lint, uint32_t first, uint32_t second)
{
    const struct handovers *all = lint->handovers;
    bool *told = arena_alloc(lint->arena, all->count, sizeof *told), found = false;
    struct item_list next = {0};
    mark_told(lint, first, told, &next);
    for (uint32_t n = 0; n < next.count && !found; n++) {
        uint32_t wait = all->at[next.at[n]].instr;
        found = handover_reaches(lint, wait, second) &&
                !is_only_before_meeting(lint, &all->at[next.at[n]], first);
        if (!found) mark_told(lint, wait, told, &next);
    }
    vec_free(&next);
    return found;
}
