/* Finds the blocks that are on a cycle, by Tarjan's strongly connected components without
 * recursion. See loops.h. */
#include "flow/loops.h"

#include "base/mem.h"

struct visit {
    uint32_t block, next; /* next: the successor to visit next */
};

struct loops_search {
    const struct cfg *cfg;
    const bool *without; /* by block: no path enters it; NULL: paths enter all blocks */
    loops_takes *takes;  /* NULL: all edges count */
    const void *context; /* of takes */
    bool *on_cycle;
    uint32_t *numbers, closed; /* of the components, by block; of those that are complete */
    uint32_t *order, *low;     /* by block; order 0: not visited yet */
    bool *open;
    uint32_t *component; /* a stack */
    uint32_t component_count, met;
    struct visit *visits; /* a stack */
    uint32_t depth;
};

static void loops_enter(struct loops_search *s, uint32_t block)
{
    s->order[block] = s->low[block] = ++s->met;
    s->open[block] = true;
    s->component[s->component_count++] = block;
    s->visits[s->depth++] = (struct visit){block, 0};
}

/* Closes the component whose first block is `block`. */
static void close_component(struct loops_search *s, uint32_t block)
{
    bool several = s->component[s->component_count - 1] != block;
    uint32_t member;
    s->closed++;
    do {
        member = s->component[--s->component_count];
        s->open[member] = false;
        s->numbers[member] = s->closed;
        s->on_cycle[member] |= several;
    } while (member != block);
}

static void loops_leave(struct loops_search *s)
{
    uint32_t block = s->visits[--s->depth].block;
    if (s->low[block] == s->order[block]) close_component(s, block);
    if (!s->depth) return;
    uint32_t *low = &s->low[s->visits[s->depth - 1].block];
    if (s->low[block] < *low) *low = s->low[block];
}

static void loops_search_from(struct loops_search *s, uint32_t root)
{
    loops_enter(s, root);
    while (s->depth) {
        struct visit *visit = &s->visits[s->depth - 1];
        const struct block *block = &s->cfg->blocks[visit->block];
        if (visit->next == block->succ_count) {
            loops_leave(s);
            continue;
        }
        uint32_t succ = s->cfg->succs[block->first_succ + visit->next++];
        if (s->without && s->without[succ]) continue;
        if (s->takes && !s->takes(s->context, visit->block, succ)) continue;
        s->on_cycle[succ] |= succ == visit->block;
        if (!s->order[succ])
            loops_enter(s, succ);
        else if (s->open[succ] && s->order[succ] < s->low[visit->block])
            s->low[visit->block] = s->order[succ];
    }
}

static void loops_search_begin(struct loops_search *s, struct arena *arena)
{
    uint32_t n = s->cfg->count;
    s->order = arena_alloc(arena, n, sizeof *s->order);
    s->low = arena_alloc(arena, n, sizeof *s->low);
    s->open = arena_alloc(arena, n, sizeof *s->open);
    s->component = arena_alloc(arena, n, sizeof *s->component);
    s->visits = arena_alloc(arena, n, sizeof *s->visits);
}

/* As loops_find_components, from the blocks [0, roots), on paths that enter no block of without. */
static void find_among(const struct cfg *cfg, uint32_t roots, const bool *without,
                       struct arena *arena, struct loops *found)
{
    struct arena scratch = {0};
    uint32_t n = cfg->count;
    *found = (struct loops){.on_cycle = arena_alloc(arena, n, sizeof *found->on_cycle),
                            .component = arena_alloc(arena, n, sizeof *found->component)};
    struct loops_search s = {
        .cfg = cfg, .without = without, .on_cycle = found->on_cycle, .numbers = found->component};
    loops_search_begin(&s, &scratch);
    for (uint32_t root = 0; root < roots; root++)
        if (!s.order[root] && !(without && without[root])) loops_search_from(&s, root);
    found->component_count = s.closed;
    arena_free(&scratch);
}

struct loops_search *loops_search_new(const struct cfg *cfg, struct arena *arena)
{
    struct loops_search *s = arena_alloc(arena, 1, sizeof *s);
    s->cfg = cfg;
    s->numbers = arena_alloc(arena, cfg->count, sizeof *s->numbers);
    loops_search_begin(s, arena);
    return s;
}

void loops_search_members(struct loops_search *s, const uint32_t *members, uint32_t count,
                          loops_takes *takes, const void *context, bool *on_cycle)
{
    s->takes = takes;
    s->context = context;
    s->on_cycle = on_cycle;
    s->met = 0;
    for (uint32_t m = 0; m < count; m++) {
        s->order[members[m]] = 0;
        on_cycle[members[m]] = false;
    }
    for (uint32_t m = 0; m < count; m++)
        if (!s->order[members[m]]) loops_search_from(s, members[m]);
}

void loops_find_components(const struct cfg *cfg, struct arena *arena, struct loops *found)
{
    find_among(cfg, cfg->count, NULL, arena, found);
}

void loops_list_members(const struct cfg *cfg, struct arena *arena, struct loops *loops)
{
    uint32_t n = cfg->count, numbers = loops->component_count + 1;
    uint32_t *first = arena_alloc(arena, numbers + 2, sizeof *first);
    loops->members = arena_room(arena, n, sizeof *loops->members);
    /* first[c + 2] counts the members of c, then first[c + 1] is where the next one of c is put. */
    for (uint32_t i = 0; i < n; i++) first[loops->component[i] + 2]++;
    for (uint32_t c = 2; c < numbers + 2; c++) first[c] += first[c - 1];
    for (uint32_t i = 0; i < n; i++) loops->members[first[loops->component[i] + 1]++] = i;
    loops->first = first;
}

bool *loops_find(const struct cfg *cfg, struct arena *arena)
{
    struct loops found;
    find_among(cfg, cfg->count ? 1 : 0, NULL, arena, &found);
    return found.on_cycle;
}

bool *loops_find_without(const struct cfg *cfg, const bool *without, struct arena *arena)
{
    struct loops found;
    find_among(cfg, cfg->count, without, arena, &found);
    return found.on_cycle;
}
