/* Lists the waits that may be for a signal, the signals for which a wait may be, and the handovers
 * before and behind an instruction. See handover.h. */
#include <stdlib.h>

#include "base/intern.h"
#include "base/intervals.h"
#include "base/mem.h"
#include "base/sorted.h"
#include "base/vec.h"
#include "lint/handover.h"
#include "lint/mbarriers.h"
#include "value/condition_pairs.h"

/* ---- which waits may be for which signals ---- */

/* Returns the index in all->at of the next handover after `before` that may be at the same mbarrier
 * as handover number `of`; all->count: there are no more. */
static uint32_t next_at_mbarrier(const struct lint *lint, uint32_t of, uint32_t before)
{
    const struct handovers *all = lint->handovers;
    const struct barriers *barriers = lint->subject->barriers;
    uint32_t use = before == UINT32_MAX ? before : (uint32_t)(all->at[before].use - barriers->uses);
    do use = barriers_next_alike(lint->subject, all->at[of].use, use);
    while (use < barriers->count && !handover_at(lint, barriers->uses[use].instr));
    if (use >= barriers->count) return all->count;
    return (uint32_t)(handover_at(lint, barriers->uses[use].instr) - all->at);
}

uint32_t handover_next_likely(const struct lint *lint, uint32_t of, uint32_t before)
{
    return next_at_mbarrier(lint, of, before);
}

/* Lists the barriers of the CTA that not all threads execute, on the first call, and numbers them
 * by their address. */
static void list_meetings(const struct lint *lint)
{
    struct handovers *all = lint->handovers;
    struct intern kinds = {0};
    if (all->meeting_kinds) return;
    all->meetings = arena_room(lint->arena, all->count, sizeof *all->meetings);
    all->meeting_kinds = arena_room(lint->arena, all->count, sizeof *all->meeting_kinds);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct value *number = &all->at[i].address;
        all->meeting_kinds[i] = INTERN_NONE;
        if (all->at[i].channel != CHANNEL_CTA ||
            !condition_pairs_set(lint->subject, all->at[i].instr)->count)
            continue;
        all->meetings[all->meeting_count++] = i;
        all->meeting_kinds[i] =
            intern_add(&kinds, number->base,
                       (struct str){(const char *)&number->offset, sizeof number->offset});
    }
    for (int i = 0; i < 2; i++)
        all->of_meeting[i] = arena_alloc(lint->arena, kinds.count, sizeof *all->of_meeting[i]);
    intern_free(&kinds);
}

/* Returns the index in all->at of the next handover after `before` that may meet handover number
 * `of`: every handover, or only those that may be at the same mbarrier or flag. all->count: there
 * are no more. */
static uint32_t next_to_ask(const struct lint *lint, uint32_t of, uint32_t before)
{
    const struct handovers *all = lint->handovers;
    if (all->calls) return before + 1;
    if (all->at[of].channel == CHANNEL_MBARRIER) return next_at_mbarrier(lint, of, before);
    if (all->at[of].channel == CHANNEL_FLAG && all->flags_of_one_base)
        return before == UINT32_MAX ? all->first_alike[of] : all->alike[before];
    return before + 1;
}

/* Sets the list to a copy of the numbers. */
static void keep_list(const struct lint *lint, struct handover_list *list, const uint32_t *at,
                      uint32_t count)
{
    uint32_t *kept = arena_room(lint->arena, count, sizeof *kept);
    if (count) memcpy(kept, at, count * sizeof *kept);
    *list = (struct handover_list){kept, count, true, NULL};
}

/* The two certainly do not meet: through different channels, or by different flags or barriers of
 * one base. Most pairs are such, and handover_may_meet takes longer to say so. */
static bool handovers_are_of_others(const struct handover *a, const struct handover *b)
{
    if (a->channel == CHANNEL_UNKNOWN || b->channel == CHANNEL_UNKNOWN) return false;
    if (a->channel != b->channel) return true;
    if (a->channel == CHANNEL_MBARRIER || a->channel == CHANNEL_WARP) return false;
    return !value_is_none(a->address) && !value_is_none(b->address) &&
           a->address.base == b->address.base && a->address.offset != b->address.offset;
}

/* Lists the waits (signals: `of` is a signal) or the signals that may meet handover number `of`. */
static void list_those_who_meet(const struct lint *lint, uint32_t of, bool signals,
                                struct handover_list *list)
{
    const struct handovers *all = lint->handovers;
    struct VEC(uint32_t) found = {0};
    for (uint32_t i = UINT32_MAX; (i = next_to_ask(lint, of, i)) < all->count;)
        if (!handovers_are_of_others(&all->at[of], &all->at[i]) &&
            handover_may_meet(lint, &all->at[signals ? of : i], &all->at[signals ? i : of]))
            vec_push(&found, i);
    keep_list(lint, list, found.at, found.count);
    vec_free(&found);
}

/* barriers_next_alike has to compare the use with each other one. */
static bool is_compared_with_all(const struct lint *lint, const struct barrier_use *use)
{
    return use->indexed || value_is_none(use->object) || !lint->subject->barriers->bases_differ;
}

/* As list_those_who_meet, for a use of an mbarrier: the answer is the same for all uses of a
 * kind. */
static void list_uses_who_meet(const struct lint *lint, uint32_t of, bool signals,
                               struct handover_list *list)
{
    enum { UNASKED, MEETS, MEETS_NOT };
    const struct handovers *all = lint->handovers;
    uint8_t *meets = mem_zalloc(mbarriers_kinds(lint), sizeof *meets); /* by kind */
    struct item_list found = {0};
    lint_spend(lint, all->count / 4 + 1);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *h = &all->at[i];
        if (h->channel != CHANNEL_MBARRIER || !(signals ? h->waits : h->signals)) continue;
        uint8_t *kind = &meets[mbarriers_kind(lint, h->use)];
        if (*kind == UNASKED)
            *kind = handover_may_meet(lint, &all->at[signals ? of : i], &all->at[signals ? i : of])
                        ? MEETS
                        : MEETS_NOT;
        if (*kind == MEETS) vec_push(&found, i);
    }
    keep_list(lint, list, found.at, found.count);
    vec_free(&found);
    mem_free(meets);
}

/* As list_those_who_meet, for a barrier of the CTA that all threads execute: these meet only there,
 * and at barriers that not all execute. */
static void list_meetings_of_all(const struct lint *lint, uint32_t of, bool signals,
                                 struct handover_list *list)
{
    const struct handovers *all = lint->handovers;
    struct VEC(uint32_t) found = {0};
    for (uint32_t m = 0; m <= all->meeting_count; m++) {
        uint32_t i = m < all->meeting_count ? all->meetings[m] : all->count;
        if (of < i && (!m || of > all->meetings[m - 1]) &&
            handover_may_meet(lint, &all->at[of], &all->at[of]))
            vec_push(&found, of);
        if (i < all->count &&
            handover_may_meet(lint, &all->at[signals ? of : i], &all->at[signals ? i : of]))
            vec_push(&found, i);
    }
    keep_list(lint, list, found.at, found.count);
    vec_free(&found);
}

/* As list_those_who_meet. The lists of all that wait for one mbarrier, or signal at it, are equal;
 * so are those of the barriers with one number that not all threads execute. */
static void find_list(const struct lint *lint, uint32_t of, bool signals,
                      struct handover_list *list)
{
    const struct handovers *all = lint->handovers;
    const struct handover *h = &all->at[of];
    struct handover_list *kept = list;
    if (!(signals ? h->signals : h->waits)) {
        keep_list(lint, list, NULL, 0);
        return;
    }
    if (h->channel == CHANNEL_CTA) list_meetings(lint);
    if (h->channel == CHANNEL_CTA && all->meeting_kinds[of] == INTERN_NONE && !all->calls) {
        list_meetings_of_all(lint, of, signals, list);
        return;
    }
    if (h->channel == CHANNEL_MBARRIER)
        kept = &all->of_kind[signals][mbarriers_kind(lint, h->use)];
    else if (h->channel == CHANNEL_CTA && all->meeting_kinds[of] != INTERN_NONE)
        kept = &all->of_meeting[signals][all->meeting_kinds[of]];
    bool scans =
        h->channel == CHANNEL_MBARRIER && !all->calls && is_compared_with_all(lint, h->use);
    if (!kept->known && scans)
        list_uses_who_meet(lint, of, signals, kept);
    else if (!kept->known)
        list_those_who_meet(lint, of, signals, kept);
    *list = *kept;
}

const struct handover_list *handover_signals(const struct lint *lint, uint32_t wait)
{
    struct handover_list *list = &lint->handovers->signals[wait];
    if (!list->known) find_list(lint, wait, false, list);
    return list;
}

const struct handover_list *handover_waits(const struct lint *lint, uint32_t signal)
{
    struct handover_list *list = &lint->handovers->waits[signal];
    if (!list->known) find_list(lint, signal, true, list);
    return list;
}

/* A wait, and what identifies its mbarrier. */
struct wait_at {
    struct value object;
    uint32_t wait;
    bool indexed;
};

static int compare_mbarriers(const struct wait_at *x, const struct wait_at *y)
{
    if (x->object.base != y->object.base) return x->object.base < y->object.base ? -1 : 1;
    if (x->object.offset != y->object.offset) return x->object.offset < y->object.offset ? -1 : 1;
    return (x->indexed > y->indexed) - (x->indexed < y->indexed);
}

static int compare_waits_at(const void *a, const void *b)
{
    const struct wait_at *x = a, *y = b;
    int order = compare_mbarriers(x, y);
    return order ? order : (x->wait > y->wait) - (x->wait < y->wait);
}

/* Sets by_mbarrier. */
static void sort_waits(const struct lint *lint)
{
    struct handovers *all = lint->handovers;
    struct VEC(struct wait_at) waits = {0};
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = all->at[i].waits ? all->at[i].use : NULL;
        if (use && !value_is_none(use->object))
            vec_push(&waits, ((struct wait_at){use->object, i, use->indexed}));
    }
    lint_spend(lint, waits.count);
    if (waits.count) qsort(waits.at, waits.count, sizeof *waits.at, compare_waits_at);
    all->by_mbarrier = arena_room(lint->arena, waits.count + 1, sizeof *all->by_mbarrier);
    all->by_mbarrier_count = waits.count;
    for (uint32_t i = 0; i < waits.count; i++) all->by_mbarrier[i] = waits.at[i].wait;
    vec_free(&waits);
}

/* The first index in by_mbarrier of a wait whose mbarrier is not less, or, if behind, is greater.
 */
static uint32_t find_mbarrier(const struct handovers *all, const struct wait_at *of, bool behind)
{
    uint32_t low = 0, high = all->by_mbarrier_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct barrier_use *use = all->at[all->by_mbarrier[middle]].use;
        if (compare_mbarriers(&(struct wait_at){use->object, 0, use->indexed}, of) < behind)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct handover_list handover_waits_at(const struct lint *lint, const struct barrier_use *use)
{
    const struct handovers *all = lint->handovers;
    if (!all->by_mbarrier) sort_waits(lint);
    const struct wait_at of = {use->object, 0, use->indexed};
    uint32_t first = find_mbarrier(all, &of, false), end = find_mbarrier(all, &of, true);
    if (value_is_none(use->object)) end = first;
    return (struct handover_list){all->by_mbarrier + first, end - first, true, NULL};
}

/* ---- before and behind an instruction ---- */

/* The conditions that were compared last. */
struct excluding {
    uint32_t set; /* the number of a set; NO_SET: none yet */
    bool excludes;
};

#define NO_SET UINT32_MAX

/* The conditions of the two exclude each other. Handovers in a row mostly have the same conditions,
 * so the last answer is kept. */
static bool excludes_next(const struct lint *lint, struct excluding *last, uint32_t handover,
                          uint32_t instr)
{
    uint32_t set = condition_pairs_number(lint->subject, handover);
    if (set == last->set) return last->excludes;
    last->set = set;
    return last->excludes = condition_pairs_exclude(lint->subject, handover, instr);
}

/* Adds the waits with the indices from first to end that may reach the instruction. */
static void add_waits_before(const struct lint *lint, uint32_t instr, uint32_t first, uint32_t end,
                             struct item_list *found)
{
    const struct handovers *all = lint->handovers;
    const struct blocks_behind *behind = handover_behind(lint);
    struct excluding excluding = {NO_SET, false};
    lint_spend(lint, (end - first) / 4);
    for (uint32_t w = first; w < end; w++) {
        uint32_t wait = all->at[w].instr;
        if (all->at[w].waits && behind_follows(behind, lint->cfg, wait, instr) &&
            !excludes_next(lint, &excluding, wait, instr))
            vec_push(found, w);
    }
}

/* Control can come back to the instruction. */
static bool is_in_loop(const struct lint *lint, uint32_t instr)
{
    return handover_loops(lint)->on_cycle[lint->cfg->block_of[instr]];
}

static uint32_t *listed_of(const struct lint *lint, uint32_t instr)
{
    const struct loops *loops = handover_loops(lint);
    uint32_t block = lint->cfg->block_of[instr];
    if (is_in_loop(lint, instr)) block = loops->members[loops->first[loops->component[block]]];
    return &lint->handovers->listed[block];
}

/* The list of an instruction that the same threads execute, and that is in the same loop, or comes
 * earlier in the same block: the same waits reach both, except those between the two in a block
 * that is in no loop. NULL: not known. */
static const struct handover_list *list_above(const struct lint *lint, uint32_t instr,
                                              uint32_t *above)
{
    const struct handovers *all = lint->handovers;
    uint32_t listed = *listed_of(lint, instr);
    if (!listed || (listed > instr && !is_in_loop(lint, instr))) return NULL;
    *above = listed - 1;
    bool alike = condition_pairs_number(lint->subject, *above) ==
                 condition_pairs_number(lint->subject, instr);
    return alike ? all->before[*above] : NULL;
}

/* Copies those of the known list, with the waits between its instruction and this one. */
static void extend_list(const struct lint *lint, uint32_t instr, uint32_t above,
                        const struct handover_list *known, struct item_list *found)
{
    const struct handovers *all = lint->handovers;
    uint32_t first = handover_from(all, above), end = handover_from(all, instr);
    uint32_t before = sorted_find(known->at, 0, known->count, first);
    uint32_t behind = sorted_find(known->at, before, known->count, end);
    lint_spend(lint, known->count / 64 + 1);
    vec_reserve(found, known->count + end - first);
    memcpy(found->at, known->at, before * sizeof *found->at);
    found->count = before;
    add_waits_before(lint, instr, first, end, found);
    memcpy(found->at + found->count, known->at + behind,
           (known->count - behind) * sizeof *found->at);
    found->count += known->count - behind;
}

static struct handover_list *find_waits_before(const struct lint *lint, uint32_t instr,
                                               const struct handover_list *known, uint32_t above)
{
    const struct handovers *all = lint->handovers;
    struct handover_list *list = arena_alloc(lint->arena, 1, sizeof *list);
    struct item_list found = {0};
    uint32_t words = all->count / 64 + 1, first = 0;
    uint64_t *bits = arena_alloc(lint->arena, words, sizeof *bits);
    if (known && known->count) {
        extend_list(lint, instr, above, known, &found);
        memcpy(bits, known->bits, words * sizeof *bits);
        first = sorted_find(found.at, 0, found.count, handover_from(all, above));
    } else {
        add_waits_before(lint, instr, 0, all->count, &found);
    }
    uint32_t end = handover_from(all, instr);
    for (uint32_t i = first; i < found.count && (!first || found.at[i] < end); i++)
        bits[found.at[i] / 64] |= 1ULL << (found.at[i] % 64);
    keep_list(lint, list, found.at, found.count);
    list->bits = bits;
    vec_free(&found);
    return list;
}

const struct handover_list *handover_waits_before(const struct lint *lint, uint32_t instr)
{
    const struct handovers *all = lint->handovers;
    uint32_t above = 0;
    if (all->before[instr]) return all->before[instr];
    const struct handover_list *known = list_above(lint, instr, &above);
    all->before[instr] =
        known && is_in_loop(lint, instr) ? known : find_waits_before(lint, instr, known, above);
    *listed_of(lint, instr) = instr + 1;
    return all->before[instr];
}

/* Sets the bits of the handovers behind the instruction, and clears the others. */
static void find_all_behind(const struct lint *lint, uint32_t instr, uint64_t *bits)
{
    const struct handovers *all = lint->handovers;
    const struct blocks_behind *behind = handover_behind(lint);
    struct excluding excluding = {NO_SET, false};
    memset(bits, 0, (all->count / 64 + 1) * sizeof *bits);
    lint_spend(lint, all->count / 4);
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t at = all->at[i].instr;
        if (behind_follows(behind, lint->cfg, instr, at) &&
            !excludes_next(lint, &excluding, at, instr))
            bits[i / 64] |= 1ULL << (i % 64);
    }
}

/* From the instruction that was asked about last, if the same threads execute both, and both are in
 * one loop, or it comes earlier in the same block: then only the handovers between the two may
 * differ. False if that is not known. */
static bool move_behind(const struct lint *lint, uint32_t instr)
{
    const struct handovers *all = lint->handovers;
    uint32_t last = all->behind_of;
    if (last == NO_INSTR ||
        condition_pairs_number(lint->subject, last) != condition_pairs_number(lint->subject, instr))
        return false;
    if (is_in_loop(lint, last) && is_in_loop(lint, instr) &&
        listed_of(lint, last) == listed_of(lint, instr))
        return true;
    if (last > instr || lint->cfg->block_of[last] != lint->cfg->block_of[instr]) return false;
    uint32_t end = handover_from(all, instr + 1);
    for (uint32_t i = handover_from(all, last + 1); i < end; i++)
        all->behind_last[i / 64] &= ~(1ULL << (i % 64));
    return true;
}

const uint64_t *handover_behind_last(const struct lint *lint, uint32_t instr)
{
    struct handovers *all = lint->handovers;
    if (!all->behind_last)
        all->behind_last = arena_alloc(lint->arena, all->count / 64 + 1, sizeof *all->behind_last);
    if (all->behind_of != instr && !move_behind(lint, instr))
        find_all_behind(lint, instr, all->behind_last);
    all->behind_of = all->behind_asked = instr;
    return all->behind_last;
}

const uint64_t *handover_behind_again(const struct lint *lint, uint32_t instr)
{
    struct handovers *all = lint->handovers;
    bool again = all->behind_asked == instr;
    all->behind_asked = instr;
    return again ? handover_behind_last(lint, instr) : NULL;
}

bool handover_waits_behind(const struct lint *lint, uint32_t first, uint32_t wait)
{
    const struct handover *all = lint->handovers->at;
    const struct handover_list *signals = handover_signals(lint, wait);
    lint_spend(lint, signals->count + 1);
    for (uint32_t i = 0; i < signals->count; i++) {
        const struct handover *signal = &all[signals->at[i]];
        if (handover_reaches(lint, first, signal->instr) &&
            !handover_likely_others(lint, signal, &all[wait]))
            return true;
    }
    return false;
}
