/* Declines the removals that let ptxas reorder. The level of an operation in flight says which
 * later instructions ptxas keeps after it; waits and fences raise the level. For each place the
 * analysis computes the pairs of levels that an operation may have there: in the function as
 * written, and in the thinned program. An order is lost if an observer needs a level that the
 * operation has only in the function as written. See hold.h. */
#include "order/hold.h"

#include "base/mem.h"
#include "base/work.h"
#include "flow/rounds.h"
#include "ptx/stored.h"

enum { ROUNDS_MAX = 32 };

enum kind { KIND_LD, KIND_ST, KIND_PIPE, KINDS };

/* The levels of loads and stores. */
enum level {
    ISSUED,
    FENCED,  /* after a wait or fence: later ordering operations are kept after the operation */
    WAITED,  /* after its own wait: barriers are kept after the completion */
    SETTLED, /* after its own wait and one more wait or fence, or an instruction with
                settles_waited: every instruction is kept after it */
    LEVELS
};

/* The levels of mma, cp, shift and commit. */
enum pipe_level {
    PIPE_ISSUED = ISSUED,
    PIPE_COMMITTED, /* a commit, or after one: barriers are kept after the operation */
    PIPE_FENCED,    /* after a wait or fence: every instruction is kept after the operation */
};

/* A kind and a pair of levels of an operation in flight: (kind * LEVELS + as_written) * LEVELS +
 * thinned. A set has a bit for each. */
enum { PAIRS_A_KIND = LEVELS * LEVELS, PAIRS = KINDS * PAIRS_A_KIND };

/* The events that change pairs, by what next_pair distinguishes. */
enum move { MOVE_WAIT_LD, MOVE_WAIT_ST, MOVE_FENCE, MOVE_COMMIT, MOVE_SETTLES, MOVE_BLAME, MOVES };

/* Until which instruction an operation counts as in flight: until a wait or fence at this index or
 * after it is kept. ptxas keeps a store that needs the result of a load before such an instruction.
 */
#define FOREVER UINT32_MAX
#define UNKNOWN UINT32_MAX

/* The effects of events after which an operation is in flight, as bits. */
enum {
    ISSUES = 1 << EFFECT_ASYNC_LD | 1 << EFFECT_ASYNC_ST | 1 << EFFECT_ASYNC_MMA |
             1 << EFFECT_ASYNC_CP | 1 << EFFECT_ASYNC_SHIFT | 1 << EFFECT_COMMIT | 1 << EFFECT_CALL
};

/* The operations in flight at the beginning of a block. Each counts as in flight FOREVER. */
struct flight {
    uint64_t pairs;
    uint32_t site; /* an open site on a path to the block: an index in sites, or NO_WITNESS */
};

struct hold {
    const struct analysis *analysis;
    const uint32_t *sites;
    uint32_t count;
    struct verdict *verdicts;
    struct flight *in; /* by block */
    bool *leads;       /* by block: it has an open site, or a path leads from it to one */
    bool early;        /* an operation with OPCODE_EARLY may follow */
    uint64_t equal;    /* the pairs with the same level in both programs */
    /* By move_of, and by whether the wait or fence is kept: what move_pairs made last, of which
     * pairs. */
    struct moved {
        uint64_t from, to;
    } moved[MOVES][2];
    /* asks_stored: stored_of is used. Without it, each load counts as in flight FOREVER, until
     * something may be lost: then unsure is set, and all begins again. */
    bool asks_stored, unsure;
    struct rounds rounds;
    /* The state within the current block: */
    uint64_t pairs, ended; /* ended: those of pairs that do not count as in flight FOREVER */
    uint32_t until[PAIRS]; /* by pair in ended */
    uint32_t site;         /* as in struct flight */
    uint32_t next_stored;  /* index of the next entry of stored_of, or UNKNOWN */
    uint32_t last_kept;    /* the last kept wait or fence of the block */
    bool lost;
};

/* ---- levels ---- */

static unsigned pair_of(enum kind kind, unsigned as_written, unsigned thinned)
{
    return (kind * LEVELS + as_written) * LEVELS + thinned;
}

static enum kind kind_of_pair(unsigned pair)
{
    return (enum kind)(pair / PAIRS_A_KIND);
}

static unsigned as_written_of(unsigned pair)
{
    return pair / LEVELS % LEVELS;
}

static unsigned thinned_of(unsigned pair)
{
    return pair % LEVELS;
}

/* All pairs of a kind. */
static uint64_t pairs_of_kind(enum kind kind)
{
    return ((UINT64_C(1) << PAIRS_A_KIND) - 1) << kind * PAIRS_A_KIND;
}

static enum kind hold_kind_of(enum effect effect)
{
    return effect == EFFECT_ASYNC_LD ? KIND_LD : effect == EFFECT_ASYNC_ST ? KIND_ST : KIND_PIPE;
}

/* The level after a wait or fence. */
static unsigned level_behind_sync(enum kind kind, enum effect effect, unsigned level)
{
    if (kind == KIND_PIPE) return PIPE_FENCED;
    if (level >= WAITED) return SETTLED;
    bool own = (kind == KIND_LD && effect == EFFECT_WAIT_LD) ||
               (kind == KIND_ST && effect == EFFECT_WAIT_ST);
    return own ? WAITED : FENCED;
}

bool settles_waited(const struct opcode *opcode)
{
    switch (opcode->effect) {
    case EFFECT_RELEASE_BARRIER:
    case EFFECT_ACQUIRE_BARRIER:
    case EFFECT_BOTH_BARRIER: return !(opcode->traits & OPCODE_TOUCHES_NOTHING);
    case EFFECT_COMMIT: return true;
    default: return false;
    }
}

/* The levels that an observer distinguishes. Bit l is set if the observer may see less of an
 * operation below level l than of an operation at level l. */
static unsigned needed_levels(const struct analysis *analysis, enum kind kind,
                              const struct opcode *opcode)
{
    bool pipe = kind == KIND_PIPE, is_entry = analysis->function->is_entry;
    const unsigned memory = pipe ? 1u << PIPE_FENCED : 1u << FENCED | 1u << SETTLED;
    const unsigned barrier = 1u << FENCED | 1u << WAITED;
    /* An election observes no memory. ptxas executes it before a load whatever waits are between.
     */
    if (opcode->traits & OPCODE_ELECTS) return 0;
    switch (opcode->effect) {
    case EFFECT_MEET_MEMORY: return analysis->assumptions & ASSUME_SYNC_IS_NO_BARRIER ? 0 : memory;
    case EFFECT_RELEASE_MEMORY:
    case EFFECT_ACQUIRE_MEMORY:
    case EFFECT_BOTH_MEMORY:
    case EFFECT_CALL: return memory;
    case EFFECT_EXIT: return is_entry ? 0 : memory; /* callers may observe anything after it */
    case EFFECT_ACQUIRE_BARRIER:
    case EFFECT_RELEASE_BARRIER:
    case EFFECT_BOTH_BARRIER: return pipe ? 1u << PIPE_COMMITTED : barrier;
    case EFFECT_ALLOC: return pipe ? 0 : 1u << WAITED; /* in order by itself (ISA 9.7.16.6.1) */
    default: return 0;
    }
}

static bool loses_level(unsigned needed, unsigned pair)
{
    for (unsigned level = thinned_of(pair) + 1; level <= as_written_of(pair); level++)
        if (needed >> level & 1) return true;
    return false;
}

/* ---- what is in flight at one place ---- */

static void add_pair(struct hold *h, unsigned pair, uint32_t until)
{
    uint64_t bit = UINT64_C(1) << pair;
    bool is_new = !(h->pairs & bit);
    h->pairs |= bit;
    if (until == FOREVER) {
        h->ended &= ~bit;
    } else if (is_new || (h->ended & bit && until > h->until[pair])) {
        h->ended |= bit;
        h->until[pair] = until;
    }
}

/* The operation still counts as in flight. */
static bool still_counts(const struct hold *h, unsigned pair)
{
    return !(h->ended >> pair & 1) || h->until[pair] > h->last_kept;
}

/* The pair that a pair becomes after a wait or fence, after an instruction with settles_waited, or
 * after a loss for which a site was blamed (EFFECT_COUNT). */
static unsigned next_pair(bool early, enum effect effect, bool kept, unsigned pair)
{
    enum kind kind = kind_of_pair(pair);
    unsigned as_written = as_written_of(pair), thinned = thinned_of(pair);
    if (effect == EFFECT_COUNT) return pair_of(kind, as_written, as_written);
    if (effect_is_wait_or_fence(effect)) {
        if (kept) thinned = level_behind_sync(kind, effect, thinned);
        return pair_of(kind, level_behind_sync(kind, effect, as_written), thinned);
    }
    bool pipe = kind == KIND_PIPE;
    if (pipe ? effect != EFFECT_COMMIT : early) return pair;
    unsigned from = pipe ? PIPE_ISSUED : WAITED, to = pipe ? PIPE_COMMITTED : SETTLED;
    if (as_written == from) as_written = to;
    return pair_of(kind, as_written, thinned == from ? to : thinned);
}

static enum move move_of(enum effect effect)
{
    switch (effect) {
    case EFFECT_WAIT_LD: return MOVE_WAIT_LD;
    case EFFECT_WAIT_ST: return MOVE_WAIT_ST;
    case EFFECT_FENCE_BEFORE:
    case EFFECT_FENCE_AFTER: return MOVE_FENCE;
    case EFFECT_COMMIT: return MOVE_COMMIT;
    case EFFECT_COUNT: return MOVE_BLAME;
    default: return MOVE_SETTLES;
    }
}

static void move_pairs(struct hold *h, enum effect effect, bool kept)
{
    struct moved *moved = &h->moved[move_of(effect)][kept];
    uint64_t ended = h->ended, others = h->pairs & ~ended;
    uint32_t was[PAIRS];
    for (uint64_t left = ended; left; left &= left - 1)
        was[__builtin_ctzll(left)] = h->until[__builtin_ctzll(left)];
    if (moved->from != others) {
        *moved = (struct moved){.from = others};
        for (uint64_t left = others; left; left &= left - 1)
            moved->to |= UINT64_C(1)
                         << next_pair(h->early, effect, kept, (unsigned)__builtin_ctzll(left));
    }
    h->pairs = moved->to;
    h->ended = 0;
    for (uint64_t left = ended; left; left &= left - 1) {
        unsigned pair = (unsigned)__builtin_ctzll(left);
        add_pair(h, next_pair(h->early, effect, kept, pair), was[pair]);
    }
}

/* Until which instruction the load counts as in flight; see FOREVER. */
static uint32_t stored_behind(struct hold *h, uint32_t load)
{
    if (!h->asks_stored) return FOREVER;
    struct stored_list stored = stored_of(h->analysis->function);
    uint32_t s = h->next_stored == UNKNOWN ? stored_from(stored, load) : h->next_stored;
    while (s < stored.count && stored.at[s].load < load) s++;
    h->next_stored = s;
    bool found = s < stored.count && stored.at[s].load == load;
    return found ? stored.at[s].behind : FOREVER;
}

static void hold_issue(struct hold *h, enum kind kind, uint32_t i)
{
    add_pair(h, pair_of(kind, ISSUED, ISSUED), kind == KIND_LD ? stored_behind(h, i) : FOREVER);
}

/* A fence orders its arrival, too, before the instructions that ptxas moves over a commit. */
static void hold_issue_commit(struct hold *h)
{
    add_pair(h, pair_of(KIND_PIPE, PIPE_COMMITTED, PIPE_COMMITTED), FOREVER);
}

/* ---- events ---- */

/* An operation that is settled in both programs cannot lose an order. */
static void forget_settled(struct hold *h)
{
    const uint64_t settled = UINT64_C(1) << pair_of(KIND_LD, SETTLED, SETTLED) |
                             UINT64_C(1) << pair_of(KIND_ST, SETTLED, SETTLED) |
                             UINT64_C(1) << pair_of(KIND_PIPE, PIPE_FENCED, PIPE_FENCED);
    h->pairs &= ~settled;
    h->ended &= ~settled;
}

/* The observer may see less of the operations of the kind that are in flight. False if that needs
 * stored_of. */
static bool is_lost(struct hold *h, enum kind kind, const struct opcode *observer)
{
    uint64_t left = h->pairs & pairs_of_kind(kind);
    unsigned needed = left ? needed_levels(h->analysis, kind, observer) : 0;
    bool lost = false;
    for (; needed && left && !lost; left &= left - 1) {
        unsigned pair = (unsigned)__builtin_ctzll(left);
        if (!loses_level(needed, pair)) continue;
        h->unsure |= !h->asks_stored;
        if (h->unsure) return false;
        lost = still_counts(h, pair);
        *h->analysis->by_store |= !lost;
    }
    return lost;
}

/* Declines the nearest site before the observer, or notes that it needs the assumption. */
static void hold_blame(struct hold *h, uint32_t observer)
{
    struct verdict *verdict = &h->verdicts[h->site];
    if (h->analysis->assumptions & ASSUME_PTXAS_FOLLOWS_ISA) {
        verdict->assumptions |= ASSUME_PTXAS_FOLLOWS_ISA;
    } else {
        *verdict = (struct verdict){REASON_PTXAS_ORDER, observer, verdict->assumptions, false};
        h->lost = true;
    }
    /* later observers must not blame another site for the same loss */
    move_pairs(h, EFFECT_COUNT, true);
}

static void hold_observe(struct hold *h, uint32_t i)
{
    const struct opcode *opcode = analysis_instr(h->analysis, i)->opcode;
    bool lost = false;
    for (enum kind kind = 0; kind < KINDS; kind++) lost = lost || is_lost(h, kind, opcode);
    if (lost && h->site != NO_WITNESS) hold_blame(h, i);
}

/* Callers and callees may have issued any operation, with or without a wait for it. */
static void issue_unknown(struct hold *h)
{
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (unsigned level = ISSUED; level < (kind == KIND_PIPE ? PIPE_FENCED : SETTLED); level++)
            add_pair(h, pair_of(kind, level, level), FOREVER);
}

static void pass_event(struct hold *h, const struct event *event)
{
    /* The events that matter where nothing is in flight. */
    const uint32_t matters = ISSUES | 1u << EFFECT_WAIT_LD | 1u << EFFECT_WAIT_ST |
                             1u << EFFECT_FENCE_BEFORE | 1u << EFFECT_FENCE_AFTER;
    const struct analysis *analysis = h->analysis;
    enum effect effect = (enum effect)event->effect;
    uint32_t i = event->instr;
    bool any = h->pairs;
    if (!any && !(matters >> effect & 1)) return;
    bool always = analysis_always(analysis, i);
    if (effect_is_wait_or_fence(effect)) {
        uint32_t site = site_find(h->sites, h->count, i);
        bool open = site != NO_WITNESS && h->verdicts[site].reason == REASON_NONE;
        bool kept = !open && !analysis->deleted[i];
        if (open) h->site = site;
        if (always && any) move_pairs(h, effect, kept);
        if (always && kept) h->last_kept = i;
        if (kept && any) forget_settled(h);
        return;
    }
    if (h->pairs & ~h->equal) hold_observe(h, i);
    if (any && always && settles_waited(analysis_instr(analysis, i)->opcode))
        move_pairs(h, effect, true);
    if (effect_is_async(effect)) hold_issue(h, hold_kind_of(effect), i);
    if (effect == EFFECT_COMMIT) hold_issue_commit(h);
    if (effect == EFFECT_CALL) issue_unknown(h);
}

/* ---- the graph ---- */

static void enter_block(struct hold *h, uint32_t block)
{
    h->pairs = h->in[block].pairs;
    h->ended = 0;
    h->last_kept = 0;
}

/* Returns the pairs that are in flight after the block. */
static uint64_t pass_block(struct hold *h, uint32_t block)
{
    const struct analysis *analysis = h->analysis;
    uint32_t first = analysis->first_event[block], end = analysis->first_event[block + 1];
    work_spend(end - first + 1);
    h->site = h->in[block].site;
    if (first == end) return h->in[block].pairs;
    enter_block(h, block);
    h->next_stored = UNKNOWN;
    for (uint32_t e = first; e < end; e++) pass_event(h, &analysis->events.at[e]);
    uint64_t pairs = h->pairs;
    for (uint64_t left = h->ended; left; left &= left - 1)
        if (!still_counts(h, (unsigned)__builtin_ctzll(left))) pairs &= ~(left & -left);
    return pairs;
}

/* Where no open site follows, only operations with different levels in the two programs are
 * followed: one with equal levels can lose an order only because of the instructions that are
 * removed already, and these lose none. */
static void hold_flow_into(struct hold *h, uint32_t block, uint64_t pairs)
{
    struct flight *in = &h->in[block];
    if (!h->leads[block]) pairs &= ~h->equal;
    if (!h->leads[block] && !pairs && h->site == NO_WITNESS) return;
    bool grown = pairs & ~in->pairs;
    in->pairs |= pairs;
    if (in->site == NO_WITNESS && h->site != NO_WITNESS) {
        in->site = h->site;
        grown = true;
    }
    if (grown) rounds_want(&h->rounds, block);
}

static void hold_flow_out(struct hold *h, uint32_t block, uint64_t pairs)
{
    const struct cfg *cfg = h->analysis->cfg;
    const struct block *b = &cfg->blocks[block];
    for (uint32_t n = 0; n < b->succ_count; n++)
        hold_flow_into(h, cfg->succs[b->first_succ + n], pairs);
}

/* Callers may have left any operation in flight. */
static void enter_function(struct hold *h)
{
    enter_block(h, 0);
    if (!h->analysis->function->is_entry) issue_unknown(h);
    h->in[0].pairs = h->pairs;
    if (h->pairs) rounds_want(&h->rounds, 0);
}

/* Wants the blocks with open sites, and those from which operations may reach one; others follow
 * when something reaches them. */
static void want_beginnings(struct hold *h)
{
    const struct analysis *analysis = h->analysis;
    for (uint32_t block = 0; block < analysis->cfg->count; block++)
        if (h->leads[block] && analysis->effects_of[block] & ISSUES) rounds_want(&h->rounds, block);
    for (uint32_t k = 0; k < h->count; k++)
        if (h->verdicts[k].reason == REASON_NONE)
            rounds_want(&h->rounds, analysis->cfg->block_of[h->sites[k]]);
}

/* Solves the graph once, or until it is unsure. For each loss a site is declined. */
static void hold_solve(struct hold *h)
{
    const struct cfg *cfg = h->analysis->cfg;
    for (uint32_t block = 0; block < cfg->count; block++)
        h->in[block] = (struct flight){.site = NO_WITNESS};
    h->lost = h->unsure = false;
    enter_function(h);
    want_beginnings(h);
    for (uint32_t block; !h->unsure && rounds_next(&h->rounds, &block);)
        hold_flow_out(h, block, pass_block(h, block));
}

static void decline_rest(struct hold *h)
{
    for (uint32_t k = 0; k < h->count; k++)
        if (h->verdicts[k].reason == REASON_NONE)
            h->verdicts[k] = (struct verdict){REASON_TOO_BIG, NO_WITNESS, 0, false};
}

/* The function has an operation with OPCODE_EARLY that stays; its caller may have one, too. */
static bool has_early(const struct analysis *analysis)
{
    if (!analysis->function->is_entry) return true;
    if (!(analysis->traits & OPCODE_EARLY)) return false;
    for (uint32_t e = 0; e < analysis->events.count; e++) {
        uint32_t i = analysis->events.at[e].instr;
        if (analysis_instr(analysis, i)->opcode->traits & OPCODE_EARLY && !analysis->deleted[i])
            return true;
    }
    return false;
}

void hold_decline(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                  struct verdict *verdicts)
{
    bool any = false;
    for (uint32_t k = 0; k < count; k++) any |= verdicts[k].reason == REASON_NONE;
    if (!any) return;
    uint32_t blocks = analysis->cfg->count, round = 0;
    struct hold h = {.analysis = analysis,
                     .sites = sites,
                     .count = count,
                     .verdicts = verdicts,
                     .early = has_early(analysis),
                     .asks_stored = !(analysis->effects & 1u << EFFECT_ASYNC_LD) ||
                                    stored_is_known(analysis->function)};
    h.in = mem_alloc(blocks * sizeof *h.in);
    h.leads = mem_zalloc(blocks, sizeof *h.leads);
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (unsigned level = 0; level < LEVELS; level++)
            h.equal |= UINT64_C(1) << pair_of(kind, level, level);
    for (uint32_t k = 0; k < count; k++)
        if (verdicts[k].reason == REASON_NONE)
            cfg_mark_leading(analysis->cfg, analysis->cfg->block_of[sites[k]], h.leads);
    rounds_init(&h.rounds, blocks, false);
    hold_solve(&h);
    if (h.unsure) {
        h.asks_stored = true;
        rounds_free(&h.rounds);
        rounds_init(&h.rounds, blocks, false);
        hold_solve(&h);
    }
    while (h.lost && ++round < ROUNDS_MAX) hold_solve(&h);
    if (h.lost) decline_rest(&h);
    rounds_free(&h.rounds);
    mem_free(h.leads);
    mem_free(h.in);
}
