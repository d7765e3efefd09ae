/* Finds a fixpoint, and tests a given one. See solution.h. */
#include "check/prove/solution.h"

#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "check/prove/worklist.h"

void solution_prepare(struct solution *solution, const struct flow *flow)
{
    *solution = (struct solution){0};
    if (!flow->words) return;
    solution->at = mem_alloc((size_t)flow->block_count * flow->words * sizeof *solution->at);
    solution->reached = mem_zalloc(flow->block_count, sizeof *solution->reached);
}

void solution_clear(struct solution *solution, const struct flow *flow)
{
    memset(solution->reached, false, flow->block_count * sizeof *solution->reached);
}

void solution_free(struct solution *solution)
{
    mem_free(solution->at);
    mem_free(solution->reached);
}

static inline uint64_t *solution_set(const struct solution *solution, uint32_t block,
                                     uint32_t words)
{
    return solution->at + (size_t)block * words;
}

uint64_t *solution_at(const struct solution *solution, const struct flow *flow, uint32_t block)
{
    return solution_set(solution, block, flow->words);
}

/* ---- sets ---- */

static inline void copy_set(uint64_t *restrict into, const uint64_t *restrict set, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) into[w] = set[w];
}

/* Adds the bits of more. Returns whether any were missing. */
static inline bool unite_sets(uint64_t *restrict into, const uint64_t *restrict more,
                              uint32_t words)
{
    uint64_t grown = 0;
    for (uint32_t w = 0; w < words; w++) {
        grown |= more[w] & ~into[w];
        into[w] |= more[w];
    }
    return grown != 0;
}

static bool set_includes(const uint64_t *all, const uint64_t *some, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (some[w] & ~all[w]) return false;
    return true;
}

static inline void remove_fading(const struct flow *flow, uint64_t *set, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) set[w] &= ~flow->fading[w];
}

/* ---- the search ---- */

/* Returns the set of the block, which is empty if the search has not reached the block before. */
static inline uint64_t *reach_block(struct solution *solution, uint32_t block, uint32_t words)
{
    uint64_t *at = solution_set(solution, block, words);
    if (!solution->reached[block]) memset(at, 0, words * sizeof *at);
    solution->reached[block] = true;
    return at;
}

uint64_t *solution_reach(struct solution *solution, const struct flow *flow, uint32_t block)
{
    return reach_block(solution, block, flow->words);
}

/* Whether what the flow is about may begin to matter after the start of the block. */
static inline bool leads_to_removed(const struct flow *flow, uint32_t block)
{
    return !flow->leads || flow->leads[block] & flow->removed;
}

/* Adds a set to the sets of the successors. Successors that changed are added to todo. empty: the
 * set is empty. */
static inline void solution_hand_on(struct solution *solution, const struct flow *flow,
                                    uint32_t block, const uint64_t *set, uint32_t words, bool empty,
                                    struct worklist *todo)
{
    const struct flow_block *from = &flow->blocks[block];
    for (uint32_t s = from->succ_start, end = from->succ_end; s < end; s++) {
        uint32_t succ = flow->succs[s];
        if (empty && !leads_to_removed(flow, succ)) continue;
        uint64_t *at = solution_set(solution, succ, words);
        bool grown = !solution->reached[succ];
        if (grown)
            copy_set(at, set, words);
        else
            grown = unite_sets(at, set, words);
        if (grown) worklist_add(todo, succ);
        solution->reached[succ] = true;
    }
}

/* Begins a search at the entry and, with flow->kinds, at all blocks that begin something. */
static void solution_begin(struct solution *solution, const struct flow *flow,
                           struct worklist *todo)
{
    flow->enter(flow->of, solution_reach(solution, flow, 0));
    worklist_add(todo, 0);
    if (!flow->kinds) return;
    work_spend(flow->block_count);
    for (uint32_t b = 0; b < flow->block_count; b++)
        if (flow->kinds[b] & flow->beginning && flow->reached[b] && leads_to_removed(flow, b))
            worklist_add(todo, b);
}

/* words: that of flow. */
static inline __attribute__((always_inline)) bool solution_search(struct solution *solution,
                                                                  const struct flow *flow,
                                                                  uint32_t words, uint64_t *set,
                                                                  struct worklist *todo)
{
    bool fine = true;
    for (uint32_t b = worklist_next(todo); fine && b != WORKLIST_NONE; b = worklist_next(todo)) {
        bool fades = !leads_to_removed(flow, b);
        work_spend(words);
        copy_set(set, reach_block(solution, b, words), words);
        if (fades) remove_fading(flow, set, words);
        if (fades && flow_is_empty(set, words)) continue;
        fine = flow->pass(flow->of, b, set);
        if (fades) remove_fading(flow, set, words);
        bool empty = (flow->kinds || flow->leads) && flow_is_empty(set, words);
        if (fine && !(empty && flow->kinds))
            solution_hand_on(solution, flow, b, set, words, empty, todo);
    }
    return fine;
}

bool solution_find(struct solution *solution, const struct flow *flow)
{
    enum { MANY = 8 };
    if (!flow->words) return true;
    struct worklist todo;
    worklist_init(&todo, flow->block_count);
    uint64_t *set = mem_zalloc(flow->words, sizeof *set);
    solution_begin(solution, flow, &todo);
    /* With a constant count the compiler vectorises the loops over a set. */
    bool fine = flow->words == MANY ? solution_search(solution, flow, MANY, set, &todo)
                                    : solution_search(solution, flow, flow->words, set, &todo);
    worklist_free(&todo);
    mem_free(set);
    return fine;
}

/* ---- a given solution ---- */

static bool kept_by_block(const struct solution *solution, const struct flow *flow, uint32_t block,
                          uint64_t *set)
{
    const struct flow_block *from = &flow->blocks[block];
    copy_set(set, solution_at(solution, flow, block), flow->words);
    if (!flow->pass(flow->of, block, set)) return false;
    for (uint32_t s = from->succ_start; s < from->succ_end; s++) {
        uint32_t succ = flow->succs[s];
        if (!solution->reached[succ]) return false;
        if (!set_includes(solution_at(solution, flow, succ), set, flow->words)) return false;
    }
    return true;
}

bool solution_holds(const struct solution *solution, const struct flow *flow)
{
    if (!flow->words) return true;
    uint64_t *set = mem_zalloc(flow->words, sizeof *set);
    flow->enter(flow->of, set);
    bool fine = solution->reached[0] && set_includes(solution->at, set, flow->words);
    for (uint32_t b = 0; fine && b < flow->block_count; b++)
        if (solution->reached[b]) fine = kept_by_block(solution, flow, b, set);
    mem_free(set);
    return fine;
}
