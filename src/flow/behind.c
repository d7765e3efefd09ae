/* Finds the blocks that control reaches, for one strongly connected component after the other:
 * those to which a component leads are known before it. See behind.h. */
#include "flow/behind.h"

#include <string.h>

enum { CHUNK_WORDS = BEHIND_CHUNK / 64 };

static const uint64_t empty_chunk[CHUNK_WORDS];

struct building {
    const struct cfg *cfg;
    struct arena *arena;
    const struct loops *loops;
    uint32_t chunk_count;
    const uint64_t ***sets; /* by number of the component */
    const uint64_t **set;   /* of the current component */
    uint64_t **own; /* by index: its chunk, if only the current set has it; NULL: it is shared */
};

static void fill_own(struct building *b, uint32_t chunk)
{
    if (b->own[chunk]) return;
    b->own[chunk] = arena_room(b->arena, CHUNK_WORDS, sizeof **b->own);
    memcpy(b->own[chunk], b->set[chunk], CHUNK_WORDS * sizeof **b->own);
    b->set[chunk] = b->own[chunk];
}

static void behind_add_block(struct building *b, uint32_t block)
{
    uint32_t chunk = block / BEHIND_CHUNK;
    fill_own(b, chunk);
    b->own[chunk][block % BEHIND_CHUNK / 64] |= 1ULL << (block % 64);
}

/* All bits of the second chunk are in the first. */
static bool chunk_includes(const uint64_t *first, const uint64_t *second)
{
    uint64_t more = 0;
    for (uint32_t w = 0; w < CHUNK_WORDS; w++) more |= second[w] & ~first[w];
    return !more;
}

static void behind_add_set(struct building *b, const uint64_t *const *other)
{
    for (uint32_t k = 0; k < b->chunk_count; k++) {
        if (other[k] == b->set[k] || chunk_includes(b->set[k], other[k])) continue;
        if (!b->own[k] && chunk_includes(other[k], b->set[k])) {
            b->set[k] = other[k];
            continue;
        }
        fill_own(b, k);
        for (uint32_t w = 0; w < CHUNK_WORDS; w++) b->own[k][w] |= other[k][w];
    }
}

/* Adds what control reaches from the end of the block, of other components. */
static void behind_add_succs(struct building *b, uint32_t block)
{
    const struct block *from = &b->cfg->blocks[block];
    const uint32_t *component = b->loops->component;
    for (uint32_t i = 0; i < from->succ_count; i++) {
        uint32_t succ = b->cfg->succs[from->first_succ + i];
        if (component[succ] == component[block]) continue;
        behind_add_set(b, (const uint64_t *const *)b->sets[component[succ]]);
        behind_add_block(b, succ);
    }
}

const struct blocks_behind *behind_find(const struct cfg *cfg, const struct loops *loops,
                                        struct arena *arena)
{
    struct blocks_behind *found = arena_alloc(arena, 1, sizeof *found);
    struct building b = {
        .cfg = cfg, .arena = arena, .loops = loops, .chunk_count = cfg->count / BEHIND_CHUNK + 1};
    const uint32_t *members = b.loops->members, *first = b.loops->first;
    const uint64_t *const **chunks = arena_room(arena, cfg->count, sizeof *chunks);
    b.sets = arena_alloc(arena, b.loops->component_count + 1, sizeof *b.sets);
    b.own = arena_alloc(arena, b.chunk_count, sizeof *b.own);
    for (uint32_t c = 1; c <= b.loops->component_count; c++) {
        b.set = b.sets[c] = arena_room(arena, b.chunk_count, sizeof *b.set);
        for (uint32_t k = 0; k < b.chunk_count; k++) b.set[k] = empty_chunk;
        memset(b.own, 0, b.chunk_count * sizeof *b.own);
        for (uint32_t i = first[c]; i < first[c + 1]; i++) {
            chunks[members[i]] = (const uint64_t *const *)b.set;
            behind_add_succs(&b, members[i]);
            if (b.loops->on_cycle[members[i]]) behind_add_block(&b, members[i]);
        }
    }
    found->chunks = chunks;
    return found;
}
