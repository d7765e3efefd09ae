/* Computes for each place the ranges of the loads, or of the stores, that may be in flight there. A
 * wait of their kind that is kept and has no guard empties the set. See apart.h. */
#include "order/apart.h"

#include "base/mem.h"
#include "base/work.h"
#include "flow/rounds.h"
#include "order/waits.h"
#include "value/columns.h"

enum { WORDS = 16, RANGES = WORDS * 64 };

/* An access: the start of its text, and 1 + the index of its range in ranges (0: unknown). */
struct placed {
    uint32_t start, range;
};

struct apart {
    const struct view *view;
    const struct cfg *cfg; /* of the function itself */
    struct arena *arena;
    struct VEC(struct placed) placed; /* ascending by start */
    struct VEC(struct column_range) ranges;
    bool *noted; /* by instruction of function; NULL: none */
    bool is_read, all;
    uint64_t *passing; /* by instruction of the analysis, one bit each */
    uint32_t words;
};

struct apart *apart_create(const struct view *view, const struct cfg *cfg, struct arena *arena)
{
    struct apart *apart = arena_alloc(arena, 1, sizeof *apart);
    apart->view = view;
    apart->cfg = cfg;
    apart->arena = arena;
    return apart;
}

/* ---- the ranges ---- */

/* Returns 1 + the index in ranges, where equal ranges have one entry. 0: unknown, or there are too
 * many ranges. */
static uint32_t number_range(struct apart *apart, struct column_range range)
{
    if (!range.count) return 0;
    for (uint32_t n = 0; n < apart->ranges.count; n++) {
        const struct column_range *known = &apart->ranges.at[n];
        work_spend(1);
        if (known->base == range.base && known->count == range.count &&
            (uint32_t)known->offset == (uint32_t)range.offset)
            return n + 1;
    }
    if (apart->ranges.count + 1 == RANGES) return 0;
    vec_push(&apart->ranges, range);
    return apart->ranges.count;
}

static void place_accesses(struct apart *apart, struct subject *subject)
{
    struct columns *columns = columns_build(subject);
    for (uint32_t i = 0; i < subject->function->count; i++) {
        enum effect effect = subject_effect(subject, i);
        if (subject->function->instrs[i].opcode->traits & OPCODE_CALLED) continue;
        if (effect != EFFECT_ASYNC_LD && effect != EFFECT_ASYNC_ST) continue;
        struct placed placed = {subject->function->instrs[i].span.start,
                                number_range(apart, columns_touched(columns, i))};
        vec_push(&apart->placed, placed);
    }
}

static void read_ranges(struct apart *apart)
{
    struct subject subject = {.view = apart->view,
                              .function = apart->cfg->function,
                              .cfg = apart->cfg,
                              .arena = apart->arena};
    place_accesses(apart, &subject);
    apart->is_read = true;
}

/* The number of the range of an access; 0 for an operation that a call may have issued. */
static uint32_t range_at(const struct analysis *analysis, uint32_t i)
{
    const struct apart *apart = analysis->apart;
    const struct instr *instr = analysis_instr(analysis, i);
    uint32_t low = 0, high = apart->placed.count;
    if (instr->opcode->traits & OPCODE_CALLED) return 0;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (apart->placed.at[mid].start == instr->span.start) return apart->placed.at[mid].range;
        if (apart->placed.at[mid].start < instr->span.start)
            low = mid + 1;
        else
            high = mid;
    }
    return 0;
}

/* ---- in flight ---- */

struct flight {
    const struct analysis *analysis;
    enum effect wait;
    uint32_t passed;       /* bits 1 << effect of the effects that change the set */
    const uint32_t *sites; /* the waits that may be removed; removed if the verdict has no reason */
    const struct verdict *verdicts;
    uint32_t count;
    uint32_t words; /* the size of a set of ranges, which has a bit for each range and bit 0 for
                       unknown */
    uint64_t *at;   /* by block: the set at its beginning */
    struct rounds rounds;
};

static uint64_t *set_at(const struct flight *flight, uint32_t block)
{
    return &flight->at[(size_t)block * flight->words];
}

static bool set_grows(const struct flight *flight, uint64_t *into, const uint64_t *more)
{
    uint64_t new = 0;
    for (uint32_t n = 0; n < flight->words; n++) {
        new |= more[n] & ~into[n];
        into[n] |= more[n];
    }
    return new;
}

/* The wait is kept. */
static bool wait_stays(const struct flight *flight, uint32_t i)
{
    uint32_t site = site_find(flight->sites, flight->count, i);
    bool gone = site != NO_WITNESS && flight->verdicts[site].reason == REASON_NONE;
    return !gone && !flight->analysis->deleted[i];
}

static void flight_pass(const struct flight *flight, uint32_t i, enum effect effect, uint64_t *set)
{
    const struct analysis *analysis = flight->analysis;
    if (effect == flight->wait && analysis_always(analysis, i) && wait_stays(flight, i))
        memset(set, 0, flight->words * sizeof *set);
    if (effect == EFFECT_CALL) set[0] |= 1;
    if (effect != waits_issue(flight->wait)) return;
    uint32_t range = range_at(analysis, i);
    set[range / 64] |= 1ull << range % 64;
}

static bool is_apart_from(const struct flight *flight, uint32_t range, const uint64_t *set)
{
    const struct apart *apart = flight->analysis->apart;
    if (!range) {
        uint64_t any = 0;
        for (uint32_t n = 0; n < flight->words; n++) any |= set[n];
        return !any;
    }
    if (set[0] & 1) return false;
    for (uint32_t n = 1; n <= apart->ranges.count; n++) {
        if (!(set[n / 64] >> n % 64 & 1)) continue;
        work_spend(1);
        if (!columns_apart(&apart->ranges.at[n - 1], &apart->ranges.at[range - 1])) return false;
    }
    return true;
}

static void walk_flight(struct flight *flight, uint32_t block, bool answers)
{
    const struct analysis *analysis = flight->analysis;
    struct apart *apart = analysis->apart;
    const uint32_t accesses = 1u << EFFECT_ASYNC_LD | 1u << EFFECT_ASYNC_ST;
    uint64_t set[WORDS];
    uint32_t first = analysis->first_event[block], end = analysis->first_event[block + 1];
    uint32_t heeded = flight->passed | (answers ? accesses : 0);
    if (answers && !(analysis->effects_of[block] & accesses)) return;
    if (!(analysis->effects_of[block] & heeded)) end = first;
    work_spend(end - first + 1);
    memcpy(set, set_at(flight, block), flight->words * sizeof *set);
    for (uint32_t e = first; e < end; e++) {
        uint32_t i = analysis->events.at[e].instr;
        enum effect effect = analysis->events.at[e].effect;
        if (!(heeded >> effect & 1)) continue;
        if (answers && accesses >> effect & 1 && is_apart_from(flight, range_at(analysis, i), set))
            apart->passing[i / 64] |= 1ull << i % 64;
        flight_pass(flight, i, effect, set);
    }
    const struct block *b = &analysis->cfg->blocks[block];
    for (uint32_t n = 0; n < b->succ_count && !answers; n++) {
        uint32_t next = analysis->cfg->succs[b->first_succ + n];
        if (set_grows(flight, set_at(flight, next), set)) rounds_want(&flight->rounds, next);
    }
}

static void solve_flight(struct flight *flight)
{
    const struct cfg *cfg = flight->analysis->cfg;
    uint32_t block;
    rounds_init(&flight->rounds, cfg->count, false);
    uint32_t issues = 1u << waits_issue(flight->wait) | 1u << EFFECT_CALL;
    for (uint32_t b = 0; b < cfg->count; b++)
        if (cfg->blocks[b].reachable && flight->analysis->effects_of[b] & issues)
            rounds_want(&flight->rounds, b);
    if (!flight->analysis->function->is_entry) {
        flight->at[0] |= 1;
        rounds_want(&flight->rounds, 0);
    }
    while (rounds_next(&flight->rounds, &block)) walk_flight(flight, block, false);
    for (uint32_t b = 0; b < cfg->count; b++)
        if (cfg->blocks[b].reachable) walk_flight(flight, b, true);
    rounds_free(&flight->rounds);
}

static void clear_passing(struct apart *apart, uint32_t count)
{
    uint32_t words = count / 64 + 1;
    if (words > apart->words) {
        apart->passing = arena_alloc(apart->arena, words, sizeof *apart->passing);
        apart->words = words;
    }
    memset(apart->passing, 0, apart->words * sizeof *apart->passing);
    apart->all = false;
}

void apart_find(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                const struct verdict *verdicts)
{
    enum effect wait = analysis_effect(analysis, sites[0]);
    uint32_t instrs = analysis->function->count;
    if (!analysis->apart->is_read) read_ranges(analysis->apart);
    clear_passing(analysis->apart, instrs);
    struct flight flight = {.analysis = analysis,
                            .wait = wait,
                            .sites = sites,
                            .verdicts = verdicts,
                            .count = count,
                            .passed = 1u << wait | 1u << waits_issue(wait) | 1u << EFFECT_CALL,
                            .words = analysis->apart->ranges.count / 64 + 1};
    flight.at = mem_zalloc((size_t)analysis->cfg->count * flight.words, sizeof *flight.at);
    solve_flight(&flight);
    mem_free(flight.at);
}

bool apart_passes(const struct analysis *analysis, uint32_t i)
{
    const struct apart *apart = analysis->apart;
    return apart->all || apart->passing[i / 64] >> i % 64 & 1;
}

void apart_allow_all(const struct analysis *analysis)
{
    analysis->apart->all = true;
}

void apart_note(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                const bool *passed, const struct verdict *verdicts)
{
    struct apart *apart = analysis->apart;
    if (analysis->function != apart->cfg->function) return;
    if (!apart->noted)
        apart->noted =
            arena_alloc(apart->arena, apart->cfg->function->count + 1, sizeof *apart->noted);
    for (uint32_t k = 0; k < count; k++)
        if (passed[k] && verdicts[k].reason == REASON_NONE) apart->noted[sites[k]] = true;
}

bool apart_is_noted(const struct analysis *analysis, uint32_t i)
{
    return analysis->apart->noted && analysis->apart->noted[i];
}

bool apart_columns_of(const struct analysis *analysis, uint32_t a, uint32_t b,
                      struct apart_columns *columns)
{
    const struct apart *apart = analysis->apart;
    if (!apart || analysis->function != apart->cfg->function) return false;
    uint32_t of_a = range_at(analysis, a), of_b = range_at(analysis, b);
    if (!of_a || !of_b) return false;
    const struct column_range *first = &apart->ranges.at[of_a - 1];
    const struct column_range *second = &apart->ranges.at[of_b - 1];
    if (!columns_apart(first, second)) return false;
    int16_t at = (int16_t)(uint16_t)first->offset;
    int16_t between = (int16_t)(uint16_t)(second->offset - first->offset);
    *columns = (struct apart_columns){.first = {at, at + between},
                                      .count = {first->count, second->count},
                                      .is_absolute = !first->base};
    return true;
}

void apart_free(struct apart *apart)
{
    vec_free(&apart->placed);
    vec_free(&apart->ranges);
}
