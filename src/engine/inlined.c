/* Follows inlined_at from one .loc to another. See inlined.h. */
#include "engine/inlined.h"

#include "base/mem.h"

enum { DEEPEST = 64 }; /* the most places of a stack; further ones are left out */

/* Returns the bytes of a place as a key: file, line and column have no padding. */
static struct str loc_key(const struct loc_place *place)
{
    return (struct str){(const char *)place, sizeof *place};
}

/* Sorts the .loc directives by the number of their place, then by order in the text. */
static void index_build(struct inlined_index *index, const struct function *function,
                        struct arena *arena)
{
    uint32_t count = function->loc_count;
    index->function = function;
    index->by_place = arena_alloc(arena, count, sizeof *index->by_place);
    uint32_t *numbers = mem_alloc(count * sizeof *numbers);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = intern_add(&index->numbers, 0, loc_key(&function->locs[i].at));
    index->first = arena_alloc(arena, index->numbers.count + 2, sizeof *index->first);
    for (uint32_t i = 0; i < count; i++) index->first[numbers[i] + 2]++;
    for (uint32_t n = 0; n < index->numbers.count; n++) index->first[n + 2] += index->first[n + 1];
    for (uint32_t i = 0; i < count; i++) index->by_place[index->first[numbers[i] + 1]++] = i;
    mem_free(numbers);
}

/* Returns the last .loc before the .loc number `before` that names the place; NULL if there is
 * none. */
static const struct loc *find_last_loc(const struct inlined_index *index, struct loc_place place,
                                       uint32_t before)
{
    uint32_t number = intern_find(&index->numbers, 0, loc_key(&place));
    if (number == INTERN_NONE) return NULL;
    uint32_t first = index->first[number], low = first, high = index->first[number + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (index->by_place[middle] < before)
            low = middle + 1;
        else
            high = middle;
    }
    return low > first ? &index->function->locs[index->by_place[low - 1]] : NULL;
}

const struct loc_place *inlined_places(struct inlined_index *index, const struct function *function,
                                       uint32_t instr, struct arena *scratch, struct arena *arena,
                                       uint32_t *count)
{
    struct loc_place places[DEEPEST];
    uint32_t n = 0;
    const struct loc *loc = view_loc(function, instr);
    if (!index->function && loc && loc->inlined_at.line) index_build(index, function, scratch);
    while (loc && loc->at.line && n < DEEPEST) {
        struct loc_place outer = loc->inlined_at;
        places[n++] = loc->at;
        if (!outer.line) break;
        loc = find_last_loc(index, outer, (uint32_t)(loc - function->locs));
        if (!loc && n < DEEPEST) places[n++] = outer;
    }
    *count = n;
    struct loc_place *copy = arena_alloc(arena, n, sizeof *copy);
    if (n) memcpy(copy, places, n * sizeof *copy);
    return copy;
}

struct loc_place inlined_call_site(struct inlined_index *index, const struct function *function,
                                   uint32_t instr, struct arena *scratch)
{
    uint32_t count;
    const struct loc_place *places =
        inlined_places(index, function, instr, scratch, scratch, &count);
    return count ? places[count - 1] : (struct loc_place){.line = 0};
}

void inlined_free(struct inlined_index *index)
{
    intern_free(&index->numbers);
}
