/* Checks that the sets of blocks behind each block are those that a search finds. */
#include "base/vec.h"
#include "flow/behind.h"

#include "unit.h"

enum { COUNT = 3 * BEHIND_CHUNK + 100, ASKED = 60 };

static uint32_t next(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* Control goes to the next block; from one in five of them also further down, and from one in
 * `back` of them also up. Only such a path leads to one in a hundred. */
static void make_graph(struct cfg *cfg, struct arena *arena, uint32_t back)
{
    uint32_t state = back, succs = 0;
    *cfg = (struct cfg){.count = COUNT};
    cfg->blocks = arena_alloc(arena, COUNT, sizeof *cfg->blocks);
    cfg->succs = arena_alloc(arena, 3 * (size_t)COUNT, sizeof *cfg->succs);
    for (uint32_t b = 0; b < COUNT; b++) {
        struct block *block = &cfg->blocks[b];
        block->first_succ = succs;
        uint32_t to = b % 100 == 98 ? b + 2 : b + 1;
        if (to < COUNT) cfg->succs[succs++] = to;
        to = b + 1 + next(&state, 30);
        if (b % 5 == 0 && to < COUNT && to % 100 != 99) cfg->succs[succs++] = to;
        if (next(&state, back) == 0) cfg->succs[succs++] = b - (b ? next(&state, b) / 8 : 0);
        block->succ_count = succs - block->first_succ;
    }
}

static void search_behind(const struct cfg *cfg, uint32_t from, bool *reached)
{
    struct VEC(uint32_t) open = {0};
    memset(reached, 0, COUNT * sizeof *reached);
    vec_push(&open, from);
    while (open.count) {
        const struct block *block = &cfg->blocks[open.at[--open.count]];
        for (uint32_t i = 0; i < block->succ_count; i++) {
            uint32_t to = cfg->succs[block->first_succ + i];
            if (!reached[to]) vec_push(&open, to);
            reached[to] = true;
        }
    }
    vec_free(&open);
}

static void compare_with_search(uint32_t back)
{
    static bool reached[COUNT];
    struct arena arena = {0};
    struct cfg cfg;
    uint32_t state = 7;
    make_graph(&cfg, &arena, back);
    struct loops loops;
    loops_find_components(&cfg, &arena, &loops);
    loops_list_members(&cfg, &arena, &loops);
    const struct blocks_behind *behind = behind_find(&cfg, &loops, &arena);
    for (uint32_t k = 0; k < ASKED; k++) {
        uint32_t from = k < 3 ? COUNT - 1 - k : k < 6 ? 99 + 100 * k : next(&state, COUNT);
        search_behind(&cfg, from, reached);
        for (uint32_t to = 0; to < COUNT; to++)
            assert_int_equal(behind_has(behind, from, to), reached[to]);
    }
    arena_free(&arena);
}

static void sets_are_those_of_a_search(void **unused)
{
    (void)unused;
    compare_with_search(20);
    compare_with_search(1000);
    compare_with_search(1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets_are_those_of_a_search)};
    return RUN_TESTS(tests);
}
