/* Computes trees of dominators, by the algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast
 * Dominance Algorithm"). See dominators.h. */
#include "flow/dominators.h"

#include <string.h>

#include "base/mem.h"

struct visit {
    uint32_t block, next; /* next: the successor to visit next */
};

struct search {
    const struct cfg *cfg;
    uint32_t count;   /* of the blocks that a path enters */
    uint32_t *blocks; /* these blocks, in postorder */
    uint32_t *place;  /* by block: 1 + its index in blocks; 0: none yet; OPEN: being visited */
    uint32_t *above;  /* by index in blocks: that of the immediate dominator; NONE: not known yet;
                         count: the start of the paths */
    struct visit *visits; /* a stack */
};

#define OPEN UINT32_MAX
#define NONE UINT32_MAX

/* Adds the blocks to which paths lead from the block, and the block itself. */
static void dominators_visit(struct search *s, uint32_t block)
{
    const struct cfg *cfg = s->cfg;
    uint32_t depth = 0;
    if (s->place[block]) return;
    s->place[block] = OPEN;
    s->visits[depth++] = (struct visit){block, 0};
    while (depth) {
        struct visit *top = &s->visits[depth - 1];
        const struct block *at = &cfg->blocks[top->block];
        if (top->next == at->succ_count) {
            s->blocks[s->count++] = top->block;
            s->place[top->block] = s->count;
            depth--;
            continue;
        }
        uint32_t succ = cfg->succs[at->first_succ + top->next++];
        if (s->place[succ]) continue;
        s->place[succ] = OPEN;
        s->visits[depth++] = (struct visit){succ, 0};
    }
}

/* The nearest common dominator. */
static uint32_t dominators_meet(const struct search *s, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (a < b) a = s->above[a];
        while (b < a) b = s->above[b];
    }
    return a;
}

/* Computes above of one block from its predecessors. True if it has changed. */
static bool dominators_lower(const struct search *s, uint32_t at, bool starts)
{
    const struct block *block = &s->cfg->blocks[s->blocks[at]];
    uint32_t above = starts ? s->count : NONE;
    for (uint32_t i = 0; i < block->pred_count; i++) {
        uint32_t place = s->place[s->cfg->preds[block->first_pred + i]];
        if (!place || s->above[place - 1] == NONE) continue;
        above = above == NONE ? place - 1 : dominators_meet(s, above, place - 1);
    }
    /* A block without predecessors in the graph: it is reached from code that nothing reaches. */
    if (above == NONE) above = s->count;
    if (s->above[at] == above) return false;
    s->above[at] = above;
    return true;
}

static void dominators_number(const struct search *s, struct dominators *found)
{
    uint32_t *next = mem_zalloc(s->count + 1, sizeof *next);
    for (uint32_t i = 0; i < s->count; i++) found->size[s->blocks[i]] = 1;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->above[i] < s->count)
            found->size[s->blocks[s->above[i]]] += found->size[s->blocks[i]];
    for (uint32_t i = s->count; i-- > 0;) {
        uint32_t block = s->blocks[i], number = next[s->above[i]];
        found->number[block] = number;
        next[s->above[i]] += found->size[block];
        next[i] = number + 1;
    }
    mem_free(next);
}

void dominators_find(const struct cfg *cfg, uint32_t from, struct dominators *found)
{
    struct search s = {.cfg = cfg};
    bool *starts = mem_zalloc(cfg->count + 1, sizeof *starts), more = true;
    s.blocks = mem_alloc((cfg->count + 1) * sizeof *s.blocks);
    s.place = mem_zalloc(cfg->count + 1, sizeof *s.place);
    s.visits = mem_alloc((cfg->count + 1) * sizeof *s.visits);
    memset(found->number, 0xff, cfg->count * sizeof *found->number);
    memset(found->size, 0, cfg->count * sizeof *found->size);
    if (from == cfg->count) {
        starts[0] = true;
        dominators_visit(&s, 0);
    }
    for (uint32_t i = 0; from < cfg->count && i < cfg->blocks[from].succ_count; i++) {
        uint32_t succ = cfg->succs[cfg->blocks[from].first_succ + i];
        starts[succ] = true;
        dominators_visit(&s, succ);
    }
    s.above = mem_alloc((s.count + 1) * sizeof *s.above);
    memset(s.above, 0xff, (s.count + 1) * sizeof *s.above);
    while (more) {
        more = false;
        for (uint32_t i = s.count; i-- > 0;) more |= dominators_lower(&s, i, starts[s.blocks[i]]);
    }
    dominators_number(&s, found);
    mem_free(s.above);
    mem_free(s.visits);
    mem_free(s.place);
    mem_free(s.blocks);
    mem_free(starts);
}
