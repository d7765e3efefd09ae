/* Computes trees of dominators, and the same of the graph with reversed edges, by the algorithm of
 * Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"). See dominators.h. */
#include "flow/dominators.h"

#include <string.h>

#include "base/mem.h"

struct visit {
    uint32_t block, next; /* next: the edge to follow next */
};

struct search {
    const struct cfg *cfg;
    bool back;        /* paths lead against the edges of the graph */
    uint32_t count;   /* of the blocks that a path enters */
    uint32_t *blocks; /* these blocks, in postorder */
    uint32_t *place;  /* by block: 1 + its index in blocks; 0: none yet; OPEN: being visited */
    uint32_t *above;  /* by index in blocks: that of the immediate dominator; NONE: not known yet;
                         count: the start of the paths */
    bool *starts;     /* by block: paths begin at its beginning */
    struct visit *visits; /* a stack */
};

#define OPEN UINT32_MAX
#define NONE UINT32_MAX

/* The blocks to which edges lead from a block, or from which edges lead to it. */
struct neighbours {
    const uint32_t *at;
    uint32_t count;
};

static struct neighbours dominators_edges(const struct search *s, uint32_t block, bool against)
{
    const struct block *b = &s->cfg->blocks[block];
    if (against != s->back)
        return (struct neighbours){s->cfg->preds + b->first_pred, b->pred_count};
    return (struct neighbours){s->cfg->succs + b->first_succ, b->succ_count};
}

/* Adds the blocks to which paths lead from the block, and the block itself. */
static void dominators_visit(struct search *s, uint32_t block)
{
    uint32_t depth = 0;
    if (s->place[block]) return;
    s->place[block] = OPEN;
    s->visits[depth++] = (struct visit){block, 0};
    while (depth) {
        struct visit *top = &s->visits[depth - 1];
        struct neighbours to = dominators_edges(s, top->block, false);
        if (top->next == to.count) {
            s->blocks[s->count++] = top->block;
            s->place[top->block] = s->count;
            depth--;
            continue;
        }
        uint32_t next = to.at[top->next++];
        if (s->place[next]) continue;
        s->place[next] = OPEN;
        s->visits[depth++] = (struct visit){next, 0};
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

/* Computes above of one block from those before it. True if it has changed. */
static bool dominators_lower(const struct search *s, uint32_t at, bool starts)
{
    struct neighbours from = dominators_edges(s, s->blocks[at], true);
    uint32_t above = starts ? s->count : NONE;
    for (uint32_t i = 0; i < from.count; i++) {
        uint32_t place = s->place[from.at[i]];
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

static void search_begin(struct search *s, const struct cfg *cfg, bool back)
{
    *s = (struct search){.cfg = cfg, .back = back};
    s->starts = mem_zalloc(cfg->count + 1, sizeof *s->starts);
    s->blocks = mem_alloc((cfg->count + 1) * sizeof *s->blocks);
    s->place = mem_zalloc(cfg->count + 1, sizeof *s->place);
    s->visits = mem_alloc((cfg->count + 1) * sizeof *s->visits);
}

static void add_start(struct search *s, uint32_t block)
{
    s->starts[block] = true;
    dominators_visit(s, block);
}

/* Sets above, when all starts were added. */
static void find_above(struct search *s)
{
    s->above = mem_alloc((s->count + 1) * sizeof *s->above);
    memset(s->above, 0xff, (s->count + 1) * sizeof *s->above);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = s->count; i-- > 0;)
            more |= dominators_lower(s, i, s->starts[s->blocks[i]]);
    }
}

static void search_end(struct search *s)
{
    mem_free(s->above);
    mem_free(s->visits);
    mem_free(s->place);
    mem_free(s->blocks);
    mem_free(s->starts);
}

void dominators_find(const struct cfg *cfg, uint32_t from, struct dominators *found)
{
    struct search s;
    search_begin(&s, cfg, false);
    memset(found->number, 0xff, cfg->count * sizeof *found->number);
    memset(found->size, 0, cfg->count * sizeof *found->size);
    if (from == cfg->count) add_start(&s, 0);
    for (uint32_t i = 0; from < cfg->count && i < cfg->blocks[from].succ_count; i++)
        add_start(&s, cfg->succs[cfg->blocks[from].first_succ + i]);
    find_above(&s);
    dominators_number(&s, found);
    search_end(&s);
}

void dominators_find_joins(const struct cfg *cfg, uint32_t *joins)
{
    struct search s;
    search_begin(&s, cfg, true);
    for (uint32_t b = 0; b < cfg->count; b++)
        if (!cfg->blocks[b].succ_count) add_start(&s, b);
    find_above(&s);
    for (uint32_t b = 0; b < cfg->count; b++) {
        uint32_t above = s.place[b] ? s.above[s.place[b] - 1] : s.count;
        joins[b] = above < s.count ? s.blocks[above] : cfg->count;
    }
    search_end(&s);
}
