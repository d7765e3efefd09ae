/* Finds signals that let an operation be executed once more. See renewals.h. */
#include "lint/renewals.h"

#include "lint/walk.h"

enum verdict { VERDICT_UNKNOWN, VERDICT_NO, VERDICT_YES };

/* A search for the blocks that control can reach. */
struct flood {
    uint32_t *entered, stamp; /* by block: the stamp of the last search that reached it */
    uint32_t *open, open_count;
};

/* The blocks that control reaches from a wait without such a signal. For another operation they are
 * the same if each signal that was asked about has the same verdict. */
struct rest {
    uint32_t stamp;        /* of the last operation for which it holds */
    uint32_t searches;     /* for that operation */
    uint32_t wait_end;     /* where the search ended in the block of the wait */
    uint64_t *blocks;      /* a bit set; NULL: never found */
    bool all;              /* blocks has all of them */
    uint64_t *asked, *yes; /* by handover, as bits */
};

struct renewals {
    const struct lint *lint;
    uint32_t operation;
    bool likely;              /* of renewals_begin */
    bool any;                 /* some handover has_no_credit */
    uint8_t *verdicts;        /* by handover, an enum verdict: whether it is such a signal */
    uint8_t *leads;           /* by handover, an enum verdict: it leads to the operation */
    uint32_t *first_of_block; /* by block: the first handover in it or after it */
    uint32_t *first_in_block; /* by block: first_renewal of its beginning; NO_INSTR: unknown */
    struct flood lead, rest;
    uint32_t stamp;     /* the number of the operation */
    struct rest *rests; /* by handover, for a wait */
};

/* Each phase that the signal completes is waited for, from the first phase on. That holds for data
 * that are loaded for the operation, and for a barrier. It need not hold for an mbarrier at which
 * only threads arrive: it may free a stage, and then the first iterations do not wait for it. */
static bool has_no_credit(const struct handover *h)
{
    if (h->channel == CHANNEL_CTA) return h->signals && h->waits;
    return h->channel == CHANNEL_MBARRIER &&
           (h->use->kind == BARRIER_ARRIVE_EXPECT || h->use->kind == BARRIER_COPY);
}

struct renewals *renewals_new(const struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    const struct cfg *cfg = lint->cfg;
    struct renewals *r = arena_alloc(lint->arena, 1, sizeof *r);
    *r = (struct renewals){.lint = lint};
    r->rests = arena_alloc(lint->arena, all->count, sizeof *r->rests);
    r->verdicts = arena_alloc(lint->arena, all->count, sizeof *r->verdicts);
    r->leads = arena_alloc(lint->arena, all->count, sizeof *r->leads);
    r->first_of_block = arena_alloc(lint->arena, cfg->count, sizeof *r->first_of_block);
    r->first_in_block = arena_room(lint->arena, cfg->count, sizeof *r->first_in_block);
    struct flood *floods[] = {&r->lead, &r->rest};
    for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
        floods[i]->entered = arena_alloc(lint->arena, cfg->count, sizeof(uint32_t));
        floods[i]->open = arena_alloc(lint->arena, cfg->count, sizeof(uint32_t));
    }
    for (uint32_t s = 0; s < all->count && !r->any; s++) r->any = has_no_credit(&all->at[s]);
    for (uint32_t block = 0, s = 0; block < cfg->count; block++) {
        while (s < all->count && all->at[s].instr < cfg->blocks[block].first) s++;
        r->first_of_block[block] = s;
    }
    return r;
}

void renewals_begin(struct renewals *r, uint32_t operation, bool likely)
{
    r->operation = operation;
    r->likely = likely;
    r->stamp++;
    if (!r->any) return; /* then no signal is one, whatever the operation */
    memset(r->verdicts, VERDICT_UNKNOWN, r->lint->handovers->count * sizeof *r->verdicts);
    memset(r->leads, VERDICT_UNKNOWN, r->lint->handovers->count * sizeof *r->leads);
    for (uint32_t b = 0; b < r->lint->cfg->count; b++) r->first_in_block[b] = NO_INSTR;
}

/* ---- whether a signal lets the operation be executed once more ---- */

/* A wait of the operation's thread, and the operation. */
struct lead {
    uint32_t operation, wait;
};

static enum walk_does look_for_detour(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    const struct lead *lead = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (instr == lead->operation) return WALK_END;
    if (lint_effect(lint, instr) == EFFECT_EXIT || instr == lead->wait) return WALK_FOUND;
    return h && h->waits ? WALK_FOUND : WALK_ON;
}

static void begin_flood(struct flood *flood)
{
    flood->stamp++;
    flood->open_count = 0;
}

static void open_succs(const struct renewals *r, struct flood *flood, uint32_t block)
{
    const struct block *from = &r->lint->cfg->blocks[block];
    lint_spend(r->lint, from->succ_count + 1);
    for (uint32_t i = 0; i < from->succ_count; i++) {
        uint32_t succ = r->lint->cfg->succs[from->first_succ + i];
        if (flood->entered[succ] == flood->stamp) continue;
        flood->entered[succ] = flood->stamp;
        flood->open[flood->open_count++] = succ;
    }
}

/* The search after a wait ends at the block, because it has another wait or the operation. */
static bool ends_lead(const struct renewals *r, uint32_t block)
{
    const struct handovers *all = r->lint->handovers;
    uint32_t end = r->lint->cfg->blocks[block].end;
    if (block == r->lint->cfg->block_of[r->operation]) return true;
    for (uint32_t s = r->first_of_block[block]; s < all->count && all->at[s].instr < end; s++)
        if (all->at[s].waits) return true;
    return false;
}

/* Another wait, which every thread executes, follows in the block of the wait, and not behind the
 * operation: no walk is needed to find it. */
static bool waits_again_in_block(const struct renewals *r, uint32_t wait)
{
    const struct lint *lint = r->lint;
    const struct handovers *all = lint->handovers;
    uint32_t end = lint->cfg->blocks[lint->cfg->block_of[wait]].end;
    for (uint32_t s = handover_from(all, wait + 1); s < all->count && all->at[s].instr < end; s++)
        if (all->at[s].waits && lint->function->instrs[all->at[s].instr].guard == REG_NONE)
            return r->operation < wait || r->operation > all->at[s].instr;
    return false;
}

/* The code between the wait and the operation has few blocks. A wait for something that the
 * operation needs is near the operation, and a longer search would take too long. */
static bool is_lead_short(struct renewals *r, uint32_t wait)
{
    enum { LEAD_BLOCKS = 32 };
    uint32_t count = 0;
    begin_flood(&r->lead);
    open_succs(r, &r->lead, r->lint->cfg->block_of[wait]);
    while (r->lead.open_count && count < LEAD_BLOCKS) {
        uint32_t block = r->lead.open[--r->lead.open_count];
        count++;
        if (!ends_lead(r, block)) open_succs(r, &r->lead, block);
    }
    return !r->lead.open_count;
}

bool renewals_assume(const struct lint *lint, uint32_t wait, bool succeeds,
                     struct condition_set *set)
{
    if (!barriers_at(lint->subject, wait)) return true;
    uint32_t web = value_operand_web(lint->subject, wait, 0);
    struct value result = web == REG_NONE ? VALUE_NONE : value_of(lint->subject, web);
    return !value_is_none(result) && condition_add(lint->subject, set, result, succeeds);
}

/* A thread that has passed the wait executes the operation next, on every path. */
static bool leads_to_operation(struct renewals *r, uint32_t wait)
{
    struct lead lead = {r->operation, wait};
    struct walk_path path;
    if (!handover_reaches(r->lint, wait, r->operation) || waits_again_in_block(r, wait) ||
        !is_lead_short(r, wait))
        return false;
    struct condition_set set = conditions_of(r->lint->subject, r->operation);
    conditions_keep_fixed(r->lint->subject, &set);
    if (!renewals_assume(r->lint, wait, true, &set)) return false;
    return !walk_forward_under(r->lint, wait, &set,
                               WALK_HANDOVERS | 1 << EFFECT_EXIT |
                                   1 << lint_effect(r->lint, r->operation),
                               look_for_detour, &lead, &path) &&
           !path.gave_up;
}

static bool leads(struct renewals *r, uint32_t w)
{
    if (r->leads[w] == VERDICT_UNKNOWN)
        r->leads[w] =
            leads_to_operation(r, r->lint->handovers->at[w].instr) ? VERDICT_YES : VERDICT_NO;
    return r->leads[w] == VERDICT_YES;
}

/* Some wait that is for the signal, or most likely is, leads to the operation. */
static bool likely_leads(struct renewals *r, uint32_t s)
{
    const struct handovers *all = r->lint->handovers;
    const struct handover_list *waits = handover_waits(r->lint, s);
    for (uint32_t i = 0; i < waits->count; i++)
        if (handover_likely_meets(r->lint, &all->at[s], &all->at[waits->at[i]]) &&
            leads(r, waits->at[i]))
            return true;
    return false;
}

static bool signal_leads(struct renewals *r, uint32_t s)
{
    const struct handovers *all = r->lint->handovers;
    const struct handover *h = &all->at[s];
    if (h->channel == CHANNEL_CTA) return leads(r, s);
    if (r->likely) return likely_leads(r, s);
    for (uint32_t w = all->first_alike[s]; w < all->count; w = all->alike[w])
        if (handover_meets(r->lint, h, &all->at[w]) && leads(r, w)) return true;
    return false;
}

bool renewals_is(struct renewals *r, uint32_t s)
{
    if (r->verdicts[s] == VERDICT_UNKNOWN) {
        r->verdicts[s] = VERDICT_NO;
        if (has_no_credit(&r->lint->handovers->at[s]) && signal_leads(r, s))
            r->verdicts[s] = VERDICT_YES;
    }
    return r->verdicts[s] == VERDICT_YES;
}

/* ---- what comes before such a signal ---- */

/* The first such signal of the block at instr or after it; the end of the block if there is
 * none. rest: notes what was asked there; NULL: nowhere. */
static uint32_t first_renewal(struct renewals *r, uint32_t instr, struct rest *rest)
{
    const struct handovers *all = r->lint->handovers;
    uint32_t block = r->lint->cfg->block_of[instr], end = r->lint->cfg->blocks[block].end;
    for (uint32_t s = r->first_of_block[block]; s < all->count && all->at[s].instr < end; s++) {
        if (all->at[s].instr < instr) continue;
        bool yes = renewals_is(r, s);
        if (rest) rest->asked[s / 64] |= 1ULL << (s % 64);
        if (rest) rest->yes[s / 64] |= (uint64_t)yes << (s % 64);
        if (yes) return all->at[s].instr;
    }
    return end;
}

/* As first_renewal of the beginning of the block, found once. */
static uint32_t first_renewal_in(struct renewals *r, uint32_t block)
{
    uint32_t *first = &r->first_in_block[block];
    const struct block *at = &r->lint->cfg->blocks[block];
    if (*first == NO_INSTR)
        *first = at->first == at->end ? at->end : first_renewal(r, at->first, NULL);
    return *first;
}

static void clear_rest(const struct renewals *r, struct rest *rest)
{
    const size_t blocks = r->lint->cfg->count / 64 + 1,
                 signals = r->lint->handovers->count / 64 + 1;
    if (!rest->blocks) {
        rest->blocks = arena_room(r->lint->arena, blocks, sizeof *rest->blocks);
        rest->asked = arena_room(r->lint->arena, signals, sizeof *rest->asked);
        rest->yes = arena_room(r->lint->arena, signals, sizeof *rest->yes);
    }
    lint_spend(r->lint, (blocks + signals) / 8);
    memset(rest->blocks, 0, blocks * sizeof *rest->blocks);
    memset(rest->asked, 0, signals * sizeof *rest->asked);
    memset(rest->yes, 0, signals * sizeof *rest->yes);
}

/* Control reaches `to` from the wait without such a signal in the block of the wait. */
static bool is_in_rest_of_block(const struct renewals *r, const struct rest *rest, uint32_t wait,
                                uint32_t to)
{
    bool one = r->lint->cfg->block_of[to] == r->lint->cfg->block_of[wait];
    return one && to > wait && to <= rest->wait_end;
}

/* Searches the paths from the wait up to such signals; from the nearest block on, because `to` is
 * mostly near the wait. nearest: only until a path comes to the block of `to`, so that fewer
 * signals are asked about. */
static void follow_wait(struct renewals *r, uint32_t wait, uint32_t to, bool nearest,
                        struct rest *rest)
{
    const struct cfg *cfg = r->lint->cfg;
    uint32_t block = cfg->block_of[wait], last = cfg->block_of[to], next = 0;
    clear_rest(r, rest);
    begin_flood(&r->rest);
    rest->wait_end = wait + 1;
    if (wait + 1 < cfg->blocks[block].end) rest->wait_end = first_renewal(r, wait + 1, rest);
    if (rest->wait_end == cfg->blocks[block].end) open_succs(r, &r->rest, block);
    bool found = is_in_rest_of_block(r, rest, wait, to);
    while (next < r->rest.open_count) {
        found |= r->rest.entered[last] == r->rest.stamp;
        if (found && nearest) break;
        block = r->rest.open[next++];
        const struct block *at = &cfg->blocks[block];
        rest->blocks[block / 64] |= 1ULL << (block % 64);
        if (at->first == at->end || first_renewal(r, at->first, rest) == at->end)
            open_succs(r, &r->rest, block);
    }
    rest->all = next == r->rest.open_count;
    if (r->rest.entered[last] == r->rest.stamp) rest->blocks[last / 64] |= 1ULL << (last % 64);
}

static bool still_holds(struct renewals *r, const struct rest *rest)
{
    const uint32_t words = r->lint->handovers->count / 64 + 1;
    lint_spend(r->lint, words / 8);
    if (!rest->blocks) return false;
    for (uint32_t word = 0; word < words; word++)
        for (uint64_t more = rest->asked[word]; more; more &= more - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(more);
            if (renewals_is(r, word * 64 + bit) != (rest->yes[word] >> bit & 1)) return false;
        }
    return true;
}

bool renewals_before(struct renewals *r, uint32_t wait, uint32_t to)
{
    enum { SEARCHES_MAX = 8 }; /* the last one searches all paths */
    uint32_t block = r->lint->cfg->block_of[to], word = block / 64;
    if (!r->any) return true;
    struct rest *rest = &r->rests[handover_at(r->lint, wait) - r->lint->handovers->at];
    bool holds = rest->stamp == r->stamp || still_holds(r, rest);
    bool met =
        holds && (is_in_rest_of_block(r, rest, wait, to) || rest->blocks[word] >> (block % 64) & 1);
    if (rest->stamp != r->stamp) rest->searches = 0;
    rest->stamp = r->stamp;
    if (!holds || (!met && !rest->all))
        follow_wait(r, wait, to, ++rest->searches < SEARCHES_MAX, rest);
    if (is_in_rest_of_block(r, rest, wait, to)) return true;
    return rest->blocks[word] >> (block % 64) & 1 && to <= first_renewal_in(r, block);
}
