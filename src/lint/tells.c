/* Compares the signals behind one instruction with those for which the waits before another one
 * may be, as bit sets. See tells.h. */
#include "lint/tells.h"

#include "base/sorted.h"
#include "flow/rounds.h"
#include "lint/handover.h"
#include "lint/mbarriers.h"

struct tells {
    /* Most often no wait before an instruction can be for a signal that comes later in the text.
     * So these say, as indices of handovers, which signal is the first, and which is the last. */
    uint32_t *next;       /* by handover, and count: the first signal from it on */
    uint32_t *first_from; /* by block: the first signal that control may reach from its beginning */
    uint32_t *end_within; /* by handover: 1 + the last signal for which it, or a wait before it in
                             its block, may wait */
    uint32_t *end_to;     /* by block: the same for the waits that may reach its end */
    uint32_t *end_until;  /* by handover: 1 + the last signal for which it, or a wait before it in
                             the text, may wait */
    uint32_t from_of, from; /* 1 + the last instruction of tells_from, and its result */
    uint32_t words;         /* of a bit set of handovers */
    uint64_t **told; /* by instruction: the signals for which the waits before it may be; NULL: not
                        asked */
    uint32_t *seen;  /* by kind of an mbarrier: 1 + the last instruction for which it was added */
};

/* ---- the first and the last signal ---- */

/* The first signal that control may reach from the instruction, which is in the block, or from the
 * end of the block. */
static uint32_t first_behind(const struct lint *lint, const struct tells *tells, uint32_t block,
                             uint32_t instr)
{
    const struct handovers *all = lint->handovers;
    const struct block *at = &lint->cfg->blocks[block];
    uint32_t own = tells->next[handover_from(all, instr)], first = all->count;
    if (own < all->count && all->at[own].instr < at->end) first = own;
    for (uint32_t i = 0; i < at->succ_count; i++) {
        uint32_t from = tells->first_from[lint->cfg->succs[at->first_succ + i]];
        if (from < first) first = from;
    }
    return first;
}

/* 1 + the last signal for which a wait may be from which control may reach the instruction, which
 * is in the block, or the end of the block. */
static uint32_t end_ahead(const struct lint *lint, const struct tells *tells, uint32_t block,
                          uint32_t instr)
{
    const struct handovers *all = lint->handovers;
    const struct block *at = &lint->cfg->blocks[block];
    uint32_t place = handover_from(all, instr), end = 0;
    if (place && all->at[place - 1].instr >= at->first) end = tells->end_within[place - 1];
    for (uint32_t i = 0; i < at->pred_count; i++) {
        uint32_t to = tells->end_to[lint->cfg->preds[at->first_pred + i]];
        if (to > end) end = to;
    }
    return end;
}

/* Sets next, end_within and end_until. */
static void find_next_and_within(const struct lint *lint, const struct tells *tells)
{
    const struct handovers *all = lint->handovers;
    tells->next[all->count] = all->count;
    for (uint32_t i = all->count; i-- > 0;)
        tells->next[i] = all->at[i].signals ? i : tells->next[i + 1];
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t block = lint->cfg->block_of[all->at[i].instr], end = 0;
        if (i && all->at[i - 1].instr >= lint->cfg->blocks[block].first)
            end = tells->end_within[i - 1];
        if (all->at[i].waits) {
            const struct handover_list *signals = handover_signals(lint, i);
            if (signals->count && signals->at[signals->count - 1] >= end)
                end = signals->at[signals->count - 1] + 1;
        }
        tells->end_within[i] = end;
        tells->end_until[i] = i && tells->end_until[i - 1] > end ? tells->end_until[i - 1] : end;
    }
}

/* Sets first_from (backward) or end_to: propagates to a fixed point. */
static void spread_bounds(const struct lint *lint, const struct tells *tells, bool backward)
{
    const struct cfg *cfg = lint->cfg;
    struct rounds rounds;
    uint32_t block;
    rounds_init(&rounds, cfg->count, backward);
    for (uint32_t b = 0; b < cfg->count; b++) rounds_want(&rounds, b);
    while (rounds_next(&rounds, &block)) {
        const struct block *at = &cfg->blocks[block];
        uint32_t *bound = backward ? &tells->first_from[block] : &tells->end_to[block];
        uint32_t now = backward ? first_behind(lint, tells, block, at->first)
                                : end_ahead(lint, tells, block, at->end);
        lint_spend(lint, at->pred_count + at->succ_count + 1);
        if (now == *bound) continue;
        *bound = now;
        for (uint32_t i = 0; i < (backward ? at->pred_count : at->succ_count); i++)
            rounds_want(&rounds,
                        backward ? cfg->preds[at->first_pred + i] : cfg->succs[at->first_succ + i]);
    }
    rounds_free(&rounds);
}

/* No wait before `second` may be for a signal behind `first`, whatever the conditions are. */
static bool are_signals_earlier(const struct lint *lint, const struct tells *tells, uint32_t first,
                                uint32_t second)
{
    const uint32_t *block_of = lint->cfg->block_of;
    return end_ahead(lint, tells, block_of[second], second) <=
           first_behind(lint, tells, block_of[first], first + 1);
}

/* ---- all signals ---- */

static struct tells *tells_of(const struct lint *lint)
{
    struct handovers *all = lint->handovers;
    if (all->tells) return all->tells;
    struct tells *tells = arena_alloc(lint->arena, 1, sizeof *tells);
    tells->words = all->count / 64 + 1;
    tells->told = arena_alloc(lint->arena, lint->function->count, sizeof *tells->told);
    tells->seen = arena_alloc(lint->arena, mbarriers_kinds(lint), sizeof *tells->seen);
    tells->next = arena_room(lint->arena, all->count + 1, sizeof *tells->next);
    tells->end_within = arena_room(lint->arena, all->count, sizeof *tells->end_within);
    tells->end_until = arena_room(lint->arena, all->count, sizeof *tells->end_until);
    tells->first_from = arena_room(lint->arena, lint->cfg->count, sizeof *tells->first_from);
    tells->end_to = arena_alloc(lint->arena, lint->cfg->count, sizeof *tells->end_to);
    for (uint32_t b = 0; b < lint->cfg->count; b++) tells->first_from[b] = all->count;
    find_next_and_within(lint, tells);
    spread_bounds(lint, tells, true);
    spread_bounds(lint, tells, false);
    return all->tells = tells;
}

/* The signals of a wait for the same mbarrier are already in the set of the instruction. */
static bool was_added(const struct lint *lint, const struct handover *wait, uint32_t instr)
{
    if (wait->channel != CHANNEL_MBARRIER) return false;
    uint32_t *seen = &lint->handovers->tells->seen[mbarriers_kind(lint, wait->use)];
    bool added = *seen == instr + 1;
    *seen = instr + 1;
    return added;
}

static const uint64_t *told_before(const struct lint *lint, uint32_t instr)
{
    const struct handovers *all = lint->handovers;
    const struct tells *tells = tells_of(lint);
    uint64_t **told = &tells->told[instr];
    if (*told) return *told;
    const struct handover_list *waits = handover_waits_before(lint, instr);
    *told = arena_alloc(lint->arena, tells->words, sizeof **told);
    lint_spend(lint, tells->words / 16 + waits->count / 8);
    for (uint32_t w = 0; w < waits->count; w++) {
        if (was_added(lint, &all->at[waits->at[w]], instr)) continue;
        const struct handover_list *signals = handover_signals(lint, waits->at[w]);
        lint_spend(lint, signals->count / 8);
        for (uint32_t s = 0; s < signals->count; s++)
            (*told)[signals->at[s] / 64] |= 1ULL << (signals->at[s] % 64);
    }
    return *told;
}

/* One of the next handovers in the text, behind `first`, is told. Mostly one is, and then not all
 * handovers behind it need to be found. */
static bool is_told_next(const struct lint *lint, const uint64_t *told, uint32_t first)
{
    enum { NEXT = 8 };
    const struct handovers *all = lint->handovers;
    uint32_t from = handover_from(all, first + 1);
    for (uint32_t i = from; i < all->count && i < from + NEXT; i++)
        if (told[i / 64] >> (i % 64) & 1 && handover_reaches(lint, first, all->at[i].instr))
            return true;
    return false;
}

bool tells_before(const struct lint *lint, uint32_t first, uint32_t second)
{
    const struct tells *tells = tells_of(lint);
    lint_spend(lint, 1);
    if (are_signals_earlier(lint, tells, first, second)) return false;
    const uint64_t *told = told_before(lint, second);
    if (is_told_next(lint, told, first)) return true;
    const uint64_t *behind = handover_behind_last(lint, first);
    uint32_t words = tells->words;
    lint_spend(lint, words / 32 + 1);
    for (uint32_t w = 0; w < words; w++)
        if (behind[w] & told[w]) return true;
    return false;
}

uint32_t tells_from(const struct lint *lint, uint32_t first)
{
    struct tells *tells = tells_of(lint);
    if (tells->from_of == first + 1) return tells->from;
    uint32_t signal = first_behind(lint, tells, lint->cfg->block_of[first], first + 1);
    tells->from_of = first + 1;
    return tells->from = sorted_find(tells->end_until, 0, lint->handovers->count, signal + 1);
}
