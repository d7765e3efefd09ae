/* Finds the proxy fences that another proxy fence replaces. Each kind of proxy fence is a bit. The
 * scan computes for all kinds at once what a path has met last: a fence that covers, or an
 * instruction that stops the search. Blocks with candidates are scanned from their far end. The
 * graph is solved only if a candidate depends on what is beyond its block. See proxy.h. */
#include "order/proxy.h"

#include "base/mem.h"
#include "base/work.h"
#include "flow/rounds.h"

enum { KINDS = PROXY_SHARED_CLUSTER + 1 };

#define BIT(kind) ((uint8_t)(1u << (kind)))
enum {
    SHARED_KINDS = 1 << PROXY_SHARED_CTA | 1 << PROXY_SHARED_CLUSTER,
    NARROW_KINDS = 1 << PROXY_GLOBAL | SHARED_KINDS,
    ALL_KINDS = 1 << PROXY_ALL | NARROW_KINDS,
};

/* What an instruction does for fences of each kind, as bits by kind. */
struct meaning {
    uint8_t stops, covers;
    bool elects;
};

/* What the paths to a place have met last, as bits by kind. Where paths join, some may be covered
 * and others stopped. */
struct met {
    uint8_t stops, covers, elects;
    /* by kind: the instruction, or NO_WITNESS for the edge of the function */
    uint32_t stop[KINDS], cover[KINDS];
};

struct solver {
    const struct analysis *analysis;
    const struct proxy_question *question;
    /* by block: what paths have met when they reach its far end; NULL: not computed yet */
    struct met *at;
    struct met *through;
};

/* Names no instruction yet: without its bit, stop and cover of a kind mean nothing. */
static void met_clear(struct met *met)
{
    met->stops = met->covers = met->elects = 0;
}

/* ---- one instruction ---- */

/* The kinds of fences that order accesses to the memory space, as bits. */
static uint8_t kinds_about(enum memory_space space)
{
    switch (space) {
    case SPACE_PRIVATE: return 0;
    case SPACE_GLOBAL: return BIT(PROXY_ALL) | BIT(PROXY_GLOBAL);
    case SPACE_SHARED: return BIT(PROXY_ALL) | SHARED_KINDS;
    case SPACE_ANY: break;
    }
    return ALL_KINDS;
}

static struct meaning fence_meaning(const struct analysis *analysis, uint32_t i)
{
    enum proxy_fence proxy = (enum proxy_fence)analysis_instr(analysis, i)->proxy;
    uint8_t covers = (uint8_t)(proxy == PROXY_ALL ? ALL_KINDS : BIT(proxy));
    if (!analysis_always(analysis, i)) covers = 0;
    return (struct meaning){.stops = ALL_KINDS & (uint8_t)~covers, .covers = covers};
}

/* If past_asides is set, an access to tensor memory only, or an OPCODE_ASIDE instruction, is not a
 * witness. */
static bool is_passed_over(const struct analysis *analysis, uint32_t i)
{
    if (analysis->deleted[i]) return true;
    return analysis->past_asides &&
           (analysis_passes(analysis, i) || effect_is_tensor_only(analysis_effect(analysis, i)));
}

static struct meaning meaning_of(const struct solver *solver, uint32_t i)
{
    const struct analysis *analysis = solver->analysis;
    const struct proxy_question *question = solver->question;
    enum effect effect = analysis_effect(analysis, i);
    if (effect == EFFECT_REGISTER) return (struct meaning){0};
    if (effect == EFFECT_MEMORY) {
        uint8_t space = analysis_instr(analysis, i)->space;
        return (struct meaning){.stops = kinds_about((enum memory_space)space)};
    }
    if (analysis_instr(analysis, i)->proxy != PROXY_NONE && !analysis->deleted[i])
        return fence_meaning(analysis, i);
    if (is_passed_over(analysis, i)) return (struct meaning){0};
    bool elects = question->passes_election && analysis->assumptions & ASSUME_SYNC_IS_NO_BARRIER &&
                  analysis_instr(analysis, i)->opcode->traits & OPCODE_ELECTS;
    return (struct meaning){.stops = elects ? 0 : ALL_KINDS, .elects = elects};
}

/* ---- paths ---- */

/* Passes instruction i: if it stops or covers a kind, it replaces what the path had met. */
static void go_past(const struct solver *solver, struct met *met, uint32_t i)
{
    struct meaning meaning = meaning_of(solver, i);
    uint8_t decided = meaning.stops | meaning.covers, kept = (uint8_t)~decided;
    if (meaning.elects) met->elects = ALL_KINDS;
    if (!decided) return;
    met->elects &= kept;
    met->stops = (met->stops & kept) | meaning.stops;
    met->covers = (met->covers & kept) | meaning.covers;
    for (int kind = 0; kind < KINDS; kind++) {
        if (meaning.stops >> kind & 1) met->stop[kind] = i;
        if (meaning.covers >> kind & 1) met->cover[kind] = i;
    }
}

/* The instruction at distance `number` from the far end of a block. */
static uint32_t from_far_end(const struct solver *solver, const struct block *block,
                             uint32_t number)
{
    return solver->question->backward ? block->first + number : block->end - 1 - number;
}

/* Sets *met, which is clear, to what a path through the block has met last: for each kind, the
 * first instruction from the near end on that stops or covers it. */
static void go_through(const struct solver *solver, const struct block *block, struct met *met)
{
    uint8_t open = ALL_KINDS;
    for (uint32_t number = block->end - block->first; open && number--;) {
        uint32_t i = from_far_end(solver, block, number);
        struct meaning meaning = meaning_of(solver, i);
        uint8_t stops = meaning.stops & open, covers = meaning.covers & open;
        if (meaning.elects) met->elects |= open;
        if (!(stops | covers)) continue;
        met->stops |= stops;
        met->covers |= covers;
        for (int kind = 0; kind < KINDS; kind++) {
            if (stops >> kind & 1) met->stop[kind] = i;
            if (covers >> kind & 1) met->cover[kind] = i;
        }
        open &= (uint8_t) ~(stops | covers);
    }
}

/* Adds *more to *into. True if that changed a bit. A named instruction replaces NO_WITNESS. */
static bool join_met(struct met *into, const struct met *more)
{
    uint8_t stops = more->stops & (uint8_t)~into->stops;
    uint8_t covers = more->covers & (uint8_t)~into->covers;
    uint8_t elects = more->elects & (uint8_t)~into->elects;
    for (int kind = 0; kind < KINDS; kind++) {
        bool both = more->stops & into->stops & BIT(kind);
        bool unnamed = both && into->stop[kind] == NO_WITNESS;
        if (stops >> kind & 1 || unnamed) into->stop[kind] = more->stop[kind];
        if (covers >> kind & 1) into->cover[kind] = more->cover[kind];
    }
    into->stops |= stops;
    into->covers |= covers;
    into->elects |= elects;
    return stops || covers || elects;
}

/* What a path has met after the block: `through` is what it meets in the block, `beyond` what it
 * had met at the far end. */
static struct met met_behind(const struct met *beyond, const struct met *through)
{
    uint8_t decided = through->stops | through->covers, open = (uint8_t)~decided;
    struct met met = *through;
    met.stops |= beyond->stops & open;
    met.covers |= beyond->covers & open;
    met.elects |= beyond->elects & open;
    for (int kind = 0; kind < KINDS; kind++) {
        if (decided >> kind & 1) continue;
        met.stop[kind] = beyond->stop[kind];
        met.cover[kind] = beyond->cover[kind];
    }
    return met;
}

/* ---- the graph ---- */

static void proxy_hand_on(struct solver *solver, uint32_t b, struct rounds *rounds)
{
    const struct cfg *cfg = solver->analysis->cfg;
    const struct block *block = &cfg->blocks[b];
    const struct met met = met_behind(&solver->at[b], &solver->through[b]);
    bool backward = solver->question->backward;
    const uint32_t *next =
        backward ? cfg->succs + block->first_succ : cfg->preds + block->first_pred;
    uint32_t count = backward ? block->succ_count : block->pred_count;
    work_spend(count + 1);
    for (uint32_t n = 0; n < count; n++)
        if (join_met(&solver->at[next[n]], &met)) rounds_want(rounds, next[n]);
}

static void proxy_solve(struct solver *solver)
{
    const struct cfg *cfg = solver->analysis->cfg;
    struct rounds rounds;
    rounds_init(&rounds, cfg->count, !solver->question->backward);
    solver->at = mem_alloc(cfg->count * sizeof *solver->at);
    solver->through = mem_alloc(cfg->count * sizeof *solver->through);
    for (uint32_t b = 0; b < cfg->count; b++) {
        const struct block *block = &cfg->blocks[b];
        met_clear(&solver->at[b]);
        if (!block->reachable) continue;
        met_clear(&solver->through[b]);
        work_spend(block->end - block->first);
        go_through(solver, block, &solver->through[b]);
        rounds_want(&rounds, b);
    }
    if (solver->question->backward) {
        solver->at[0].stops = ALL_KINDS;
        for (int kind = 0; kind < KINDS; kind++) solver->at[0].stop[kind] = NO_WITNESS;
    }
    for (uint32_t b; rounds_next(&rounds, &b);) proxy_hand_on(solver, b, &rounds);
    rounds_free(&rounds);
}

/* ---- the sites ---- */

/* The start and the end of a thread have no instruction that could be named. */
static struct verdict stopped_by(const struct analysis *analysis, uint32_t witness)
{
    if (witness != NO_WITNESS && analysis_effect(analysis, witness) == EFFECT_EXIT)
        witness = NO_WITNESS;
    if (witness == NO_WITNESS)
        return (struct verdict){analysis->function->is_entry ? REASON_NO_COVER
                                                             : REASON_FUNCTION_EDGE,
                                witness, 0, false};
    bool call = analysis_effect(analysis, witness) == EFFECT_CALL;
    return (struct verdict){call ? REASON_CALL : REASON_MEMORY_ACCESS, witness, 0, false};
}

static void proxy_decide(struct solver *solver, uint32_t site, struct met met,
                         struct verdict *verdict)
{
    const struct analysis *analysis = solver->analysis;
    unsigned kind = analysis_instr(analysis, site)->proxy;
    if (!((met.stops | met.covers) >> kind & 1)) {
        if (!solver->at) proxy_solve(solver);
        met = met_behind(&solver->at[analysis->cfg->block_of[site]], &met);
    }
    if (met.stops >> kind & 1) {
        *verdict = stopped_by(analysis, met.stop[kind]);
    } else if (met.covers >> kind & 1) {
        verdict->witness = met.cover[kind];
        if (met.elects >> kind & 1) verdict->assumptions |= ASSUME_SYNC_IS_NO_BARRIER;
    } else {
        verdict->reason = REASON_NO_COVER; /* every path continues forever */
    }
}

void proxy_run(const struct analysis *analysis, const struct proxy_question *question,
               const uint32_t *sites, uint32_t count, struct verdict *verdicts)
{
    struct solver solver = {.analysis = analysis, .question = question};
    const struct cfg *cfg = analysis->cfg;
    struct met met = {0};
    uint32_t in = cfg->count, at = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t k = question->backward ? n : count - 1 - n, b = cfg->block_of[sites[k]];
        if (b != in) met = (struct met){0}, at = 0;
        in = b;
        const struct block *block = &cfg->blocks[b];
        for (; from_far_end(&solver, block, at) != sites[k]; at++)
            go_past(&solver, &met, from_far_end(&solver, block, at));
        proxy_decide(&solver, sites[k], met, &verdicts[k]);
    }
    mem_free(solver.at);
    mem_free(solver.through);
}
