/* Computes trees of dominators, and the same of the graph with reversed edges, by the algorithm of
 * Lengauer and Tarjan ("A Fast Algorithm for Finding Dominators in a Flowgraph"), with compressed
 * paths: it takes (blocks + edges) * log(blocks) steps, however deep the loops are. See
 * dominators.h. */
#include "flow/dominators.h"

#include <string.h>

#include "base/mem.h"

struct visit {
    uint32_t block, next; /* next: the edge to follow next */
};

/* A block that a path enters, by its number in the order in which the search comes to the blocks,
 * from 1; number 0 is the start of all paths. The names are those of the paper. */
struct vertex {
    uint32_t block, parent, semi, dom;
    uint32_t label, ancestor; /* ancestor NONE: the root of its tree in the forest */
    uint32_t bucket, next; /* the first vertex whose semi is this one; the next of the same semi */
};

struct search {
    const struct cfg *cfg;
    bool back;               /* paths lead against the edges of the graph */
    uint32_t count;          /* of the blocks that a path enters, when all starts were added */
    uint32_t *blocks;        /* these blocks, in postorder */
    uint32_t *place;         /* by block: its index in blocks */
    uint32_t *number;        /* by block: its number as a vertex; 0: no path enters it */
    struct vertex *vertices; /* by number */
    uint32_t met;            /* the number of the last vertex */
    uint32_t *above; /* by index in blocks: that of the immediate dominator; count: the start */
    bool *starts;    /* by block: paths begin at its beginning */
    struct visit *visits; /* a stack */
    uint32_t *chain;      /* a stack */
};

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

static void dominators_enter(struct search *s, uint32_t block, uint32_t parent, uint32_t *depth)
{
    uint32_t number = ++s->met;
    s->number[block] = number;
    s->vertices[number] =
        (struct vertex){block, parent, number, 0, number, NONE, .bucket = 0, .next = 0};
    s->visits[(*depth)++] = (struct visit){block, 0};
}

/* Adds the blocks to which paths lead from the block, and the block itself. */
static void dominators_visit(struct search *s, uint32_t block)
{
    uint32_t depth = 0;
    if (!s->number[block]) dominators_enter(s, block, 0, &depth);
    while (depth) {
        struct visit *top = &s->visits[depth - 1];
        struct neighbours to = dominators_edges(s, top->block, false);
        if (top->next == to.count) {
            s->place[top->block] = s->count;
            s->blocks[s->count++] = top->block;
            depth--;
            continue;
        }
        uint32_t next = to.at[top->next++];
        if (!s->number[next]) dominators_enter(s, next, s->number[top->block], &depth);
    }
}

/* The vertex with the lowest semi among v and those above it in its tree, without the root. */
static uint32_t dominators_eval(const struct search *s, uint32_t v)
{
    struct vertex *at = s->vertices;
    uint32_t depth = 0, x = v;
    if (at[v].ancestor == NONE) return v;
    for (; at[at[x].ancestor].ancestor != NONE; x = at[x].ancestor) s->chain[depth++] = x;
    while (depth) {
        x = s->chain[--depth];
        uint32_t up = at[x].ancestor;
        if (at[at[up].label].semi < at[at[x].label].semi) at[x].label = at[up].label;
        at[x].ancestor = at[up].ancestor;
    }
    return at[v].label;
}

/* Sets the semidominator of the vertex, from the vertices with higher numbers. */
static void find_semi(const struct search *s, uint32_t w)
{
    struct vertex *at = s->vertices;
    struct neighbours from = dominators_edges(s, at[w].block, true);
    for (uint32_t i = 0; i < from.count; i++) {
        uint32_t u = s->number[from.at[i]];
        if (!u) continue;
        uint32_t semi = at[dominators_eval(s, u)].semi;
        if (semi < at[w].semi) at[w].semi = semi;
    }
    if (s->starts[at[w].block]) at[w].semi = 0;
    at[w].next = at[at[w].semi].bucket;
    at[at[w].semi].bucket = w;
}

/* Sets dom of all vertices. */
static void find_doms(const struct search *s)
{
    struct vertex *at = s->vertices;
    at[0] = (struct vertex){.ancestor = NONE};
    for (uint32_t w = s->met; w; w--) {
        uint32_t parent = at[w].parent;
        find_semi(s, w);
        at[w].ancestor = parent;
        for (uint32_t v = at[parent].bucket; v; v = at[v].next) {
            uint32_t x = dominators_eval(s, v);
            at[v].dom = at[x].semi < at[v].semi ? x : parent;
        }
        at[parent].bucket = 0;
    }
    for (uint32_t w = 1; w <= s->met; w++)
        if (at[w].dom != at[w].semi) at[w].dom = at[at[w].dom].dom;
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
    uint32_t room = cfg->count + 1;
    s->starts = mem_zalloc(room, sizeof *s->starts);
    s->blocks = mem_alloc(room * sizeof *s->blocks);
    s->place = mem_alloc(room * sizeof *s->place);
    s->number = mem_zalloc(room, sizeof *s->number);
    s->vertices = mem_alloc(room * sizeof *s->vertices);
    s->visits = mem_alloc(room * sizeof *s->visits);
    s->chain = mem_alloc(room * sizeof *s->chain);
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
    find_doms(s);
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t dom = s->vertices[s->number[s->blocks[i]]].dom;
        s->above[i] = dom ? s->place[s->vertices[dom].block] : s->count;
    }
}

static void search_end(struct search *s)
{
    mem_free(s->above);
    mem_free(s->chain);
    mem_free(s->visits);
    mem_free(s->vertices);
    mem_free(s->number);
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
        uint32_t above = s.number[b] ? s.above[s.place[b]] : s.count;
        joins[b] = above < s.count ? s.blocks[above] : cfg->count;
    }
    search_end(&s);
}
