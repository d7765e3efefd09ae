/* Builds the graph of the blocks and states that a walk may reach, and searches it backwards from
 * the places where something is found. */
#include "lint/sketch.h"

#include "value/condition_pairs.h"

/* For a walk that may reach more nodes, no sketch is made: so many more than the function has
 * blocks are states that most often exclude each other on the paths of the walk. SOME_NODES_MAX:
 * for sketch_any. */
enum { NODES_MAX = 20000, NODES_A_BLOCK = 8, NODES_AT_LEAST = 1000, SOME_NODES_MAX = 100 };

enum { TABLE_AT_FIRST = 64 };

/* A shared sketch has a node at least after so many stops of a block, so that starts in one block
 * share what follows. */
enum { STOPS_A_NODE = 32 };

/* After so many stops of a block, those that are not of interest are passed over. */
enum { STOPS_EACH = 32 };

#define NO_EDGE UINT32_MAX

struct sketch_node {
    uint32_t block, at; /* at: the next instruction */
    unsigned state;
    uint32_t edges; /* the first edge to this node, or NO_EDGE */
    bool leads;
};

struct sketch_edge {
    uint32_t from, next; /* next: in the list of edges to the same node */
};

/* A slot of the hash table of nodes. */
struct sketch_slot {
    uint32_t node, stamp; /* stamp: of the sketch to which the node belongs */
};

struct sketch {
    const struct lint *lint;
    const struct walk_stops *stops;
    const struct sketch_start *start;
    struct VEC(struct sketch_node) nodes;
    struct VEC(struct sketch_edge) edges;
    struct VEC(uint32_t) open; /* nodes from which to search backwards */
    struct sketch_slot *table;
    uint32_t table_cap, stamp;
    uint32_t followed; /* the nodes before this one are followed */
    uint32_t most;     /* nodes, for a walk from one start */
    bool too_large;
};

struct sketch *sketch_new(const struct lint *lint, const struct walk_stops *stops)
{
    struct sketch *s = arena_alloc(lint->arena, 1, sizeof *s);
    s->lint = lint;
    s->stops = stops;
    s->most = NODES_AT_LEAST + NODES_A_BLOCK * lint->cfg->count;
    if (s->most > NODES_MAX) s->most = NODES_MAX;
    s->table_cap = TABLE_AT_FIRST;
    s->table = mem_zalloc(s->table_cap, sizeof *s->table);
    return s;
}

void sketch_free(struct sketch *s)
{
    vec_free(&s->nodes);
    vec_free(&s->edges);
    vec_free(&s->open);
    mem_free(s->table);
}

/* ---- nodes ---- */

static struct sketch_slot *sketch_slot_of(const struct sketch *s, uint32_t block, uint32_t at,
                                          unsigned state)
{
    uint64_t hash = ((uint64_t)at << 32 | state) * UINT64_C(0x9E3779B97F4A7C15) ^
                    block * UINT64_C(0xD6E8FEB86659FD93);
    uint32_t mask = s->table_cap - 1, i = (uint32_t)(hash >> 32) & mask;
    for (;; i = (i + 1) & mask) {
        struct sketch_slot *slot = &s->table[i];
        if (slot->stamp != s->stamp) return slot;
        const struct sketch_node *node = &s->nodes.at[slot->node];
        if (node->block == block && node->at == at && node->state == state) return slot;
    }
}

static void sketch_grow(struct sketch *s)
{
    mem_free(s->table);
    s->table_cap *= 2;
    s->table = mem_zalloc(s->table_cap, sizeof *s->table);
    for (uint32_t n = 0; n < s->nodes.count; n++) {
        const struct sketch_node *node = &s->nodes.at[n];
        *sketch_slot_of(s, node->block, node->at, node->state) = (struct sketch_slot){n, s->stamp};
    }
}

static uint32_t sketch_node_of(struct sketch *s, uint32_t block, uint32_t at, unsigned state)
{
    struct sketch_slot *slot = sketch_slot_of(s, block, at, state);
    if (slot->stamp == s->stamp) return slot->node;
    uint32_t node = s->nodes.count;
    *slot = (struct sketch_slot){node, s->stamp};
    vec_push(&s->nodes, ((struct sketch_node){block, at, state, NO_EDGE, false}));
    s->too_large |= node >= s->most + (s->start->shared ? 2 * s->lint->cfg->count : 0);
    if (s->nodes.count * 2 >= s->table_cap) sketch_grow(s);
    return node;
}

static void sketch_add_edge(struct sketch *s, uint32_t from, uint32_t block, uint32_t at,
                            unsigned state)
{
    if (!(s->stops->reaches[block] & s->start->interest)) return;
    uint32_t to = sketch_node_of(s, block, at, state);
    if (s->nodes.at[to].leads) s->nodes.at[from].leads = true;
    vec_push(&s->edges, ((struct sketch_edge){from, s->nodes.at[to].edges}));
    s->nodes.at[to].edges = s->edges.count - 1;
}

/* ---- forward ---- */

static bool excludes_guard(const struct sketch *s, uint32_t i)
{
    return s->lint->function->instrs[i].guard != REG_NONE && !s->start->shared &&
           condition_pairs_exclude(s->lint->subject, s->start->instr, i);
}

static bool excludes_block(const struct sketch *s, uint32_t block)
{
    return !s->start->shared &&
           condition_pairs_exclude_block(s->lint->subject, s->start->instr, block);
}

/* Executes instruction i of the node's block. False if no path continues after it. */
static bool sketch_instruction(struct sketch *s, uint32_t node, uint32_t i, unsigned *state)
{
    const struct lint *lint = s->lint;
    const struct instr *instr = &lint->function->instrs[i];
    bool guarded = instr->guard != REG_NONE;
    if (instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH)) return true;
    if (s->start->interest & walk_bits(lint, i)) {
        unsigned with = *state;
        enum walk_does does = s->start->look(s->start->context, lint, i, &with);
        s->nodes.at[node].leads |= does == WALK_FOUND && !excludes_guard(s, i);
        if (does != WALK_ON) return guarded;
        if (guarded && with != *state)
            sketch_add_edge(s, node, s->nodes.at[node].block, i + 1, *state);
        *state = with;
    }
    return guarded || lint_effect(lint, i) != EFFECT_EXIT;
}

static void sketch_block(struct sketch *s, uint32_t node)
{
    const struct cfg *cfg = s->lint->cfg;
    uint32_t block = s->nodes.at[node].block;
    uint32_t stop = walk_stops_behind(s->stops, block, s->nodes.at[node].at), first = stop;
    uint32_t end = s->stops->first[block + 1], passed = 0;
    const uint32_t *next = NULL;
    unsigned state = s->nodes.at[node].state;
    bool on = !excludes_block(s, block);
    if (!(s->stops->effects[block] & (s->start->interest | 1u << EFFECT_EXIT))) stop = end;
    for (; stop < end && on; stop++, passed++) {
        if (s->start->shared && stop > first && stop % STOPS_A_NODE == 0) {
            sketch_add_edge(s, node, block, s->stops->at[stop], state);
            break;
        }
        if (passed == STOPS_EACH && !s->start->shared)
            next = walk_stops_next(s->lint, s->stops, s->start->interest);
        if (next) stop = next[stop] < end ? next[stop] : end;
        if (stop == end) break;
        on = sketch_instruction(s, node, s->stops->at[stop], &state);
    }
    lint_spend(s->lint, passed + 1);
    if (stop < end || !on) return;
    uint32_t join = walk_stops_join(s->stops, block, s->start->interest);
    if (join != NO_JOIN) { /* the walk goes there, too */
        sketch_add_edge(s, node, join, cfg->blocks[join].first, state);
        return;
    }
    for (uint32_t i = 0; i < cfg->blocks[block].succ_count; i++) {
        uint32_t to = cfg->succs[cfg->blocks[block].first_succ + i];
        sketch_add_edge(s, node, to, cfg->blocks[to].first, state);
    }
}

/* ---- backward search ---- */

/* Searches from the nodes that were followed last: what the others lead to was known before. */
static void go_back(struct sketch *s, uint32_t first)
{
    s->open.count = 0;
    for (uint32_t n = first; n < s->nodes.count; n++)
        if (s->nodes.at[n].leads) vec_push(&s->open, n);
    while (s->open.count) {
        uint32_t edge = s->nodes.at[s->open.at[--s->open.count]].edges;
        for (; edge != NO_EDGE; edge = s->edges.at[edge].next) {
            uint32_t from = s->edges.at[edge].from;
            if (!s->nodes.at[from].leads) vec_push(&s->open, from);
            s->nodes.at[from].leads = true;
        }
    }
}

/* Follows the paths behind the start. True if one of them leads. */
bool sketch_extend(struct sketch *s, const struct sketch_start *start)
{
    uint32_t first = s->followed;
    s->start = start;
    uint32_t node =
        sketch_node_of(s, s->lint->cfg->block_of[start->instr], start->instr + 1, start->state);
    while (s->followed < s->nodes.count && !s->too_large) sketch_block(s, s->followed++);
    if (s->too_large) return true;
    go_back(s, first);
    return s->nodes.at[node].leads;
}

void sketch_begin(struct sketch *s)
{
    s->stamp++;
    s->nodes.count = s->edges.count = s->followed = 0;
    s->too_large = false;
}

bool sketch_draw(struct sketch *s, const struct sketch_start *start)
{
    sketch_begin(s);
    return sketch_extend(s, start);
}

bool sketch_any(struct sketch *s, const struct sketch_start *start)
{
    uint32_t block = s->lint->cfg->block_of[start->instr];
    sketch_begin(s);
    s->start = start;
    (void)sketch_node_of(s, block, start->instr + 1, start->state);
    for (; s->followed < s->nodes.count; s->followed++) {
        if (s->too_large || s->followed == SOME_NODES_MAX) return true;
        sketch_block(s, s->followed);
        if (s->nodes.at[s->followed].leads) return true;
    }
    return s->too_large;
}

bool sketch_leads(const struct sketch *s, uint32_t block, uint32_t at, unsigned state)
{
    if (s->too_large) return true;
    const struct sketch_slot *slot = sketch_slot_of(s, block, at, state);
    return slot->stamp != s->stamp || s->nodes.at[slot->node].leads;
}
