/* From .loc to .loc. See origin.h. */
#include "api/origin.h"

#include <stdlib.h>

#include "base/mem.h"

enum { DEEPEST = 64 }; /* calls inlined into each other; more are left out */

struct key {
    uint32_t file, line, column, loc;
};

static int compare(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return x->loc < y->loc ? -1 : x->loc > y->loc;
}

static struct key key_of(const struct function *function, uint32_t loc)
{
    const struct loc *at = &function->locs[loc];
    return (struct key){at->file, at->line, at->column, loc};
}

static void index_build(struct origin_index *index, const struct function *function,
                        struct arena *arena)
{
    uint32_t count = function->loc_count;
    struct key *keys = mem_zalloc(count + 1, sizeof *keys);
    for (uint32_t i = 0; i < count; i++) keys[i] = key_of(function, i);
    qsort(keys, count, sizeof *keys, compare);
    index->function = function;
    index->by_place = arena_alloc(arena, count + 1, sizeof *index->by_place);
    for (uint32_t i = 0; i < count; i++) index->by_place[i] = keys[i].loc;
    mem_free(keys);
}

/* The last .loc before `before` that names the place; NULL when there is none. */
static const struct loc *find(const struct origin_index *index, struct loc_place place,
                              uint32_t before)
{
    const struct key wanted = {place.file, place.line, place.column, before};
    uint32_t low = 0, high = index->function->loc_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct key key = key_of(index->function, index->by_place[middle]);
        if (compare(&key, &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low) return NULL;
    const struct loc *found = &index->function->locs[index->by_place[low - 1]];
    bool same =
        found->file == place.file && found->line == place.line && found->column == place.column;
    return same ? found : NULL;
}

/* ---- files ---- */

static int by_number(const void *a, const void *b)
{
    const struct origin_file *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->file < y->file ? -1 : x->file > y->file;
}

static void sort_files(struct origin_index *index, const struct view *view, struct arena *arena)
{
    index->files = arena_alloc(arena, view->file_count + 1, sizeof *index->files);
    for (uint32_t i = 0; i < view->file_count; i++)
        index->files[i] = (struct origin_file){view->files[i].number, i, NULL};
    qsort(index->files, view->file_count, sizeof *index->files, by_number);
}

/* The last .file with that number; "" when there is none. */
static const char *file_name(struct origin_index *index, const struct view *view, uint32_t number,
                             struct arena *arena)
{
    uint32_t low = 0, high = view->file_count;
    if (!index->files) sort_files(index, view, arena);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (index->files[middle].number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    struct origin_file *found = low ? &index->files[low - 1] : NULL;
    if (!found || found->number != number) return "";
    struct str name = view->files[found->file].name;
    if (!found->name) found->name = arena_copy(arena, name.p, name.n);
    return found->name;
}

/* ---- the stack ---- */

const struct ptxopt_origin *origin_stack(struct origin_index *index, const struct view *view,
                                         const struct function *function, uint32_t instr,
                                         struct arena *arena, uint32_t *count)
{
    struct loc_place places[DEEPEST];
    uint32_t n = 0;
    const struct loc *loc = view_loc(function, instr);
    if (index->function != function && loc && loc->inlined_at.line)
        index_build(index, function, arena);
    while (loc && loc->line && n < DEEPEST) {
        struct loc_place outer = loc->inlined_at;
        places[n++] = (struct loc_place){loc->file, loc->line, loc->column};
        if (!outer.line) break;
        loc = find(index, outer, (uint32_t)(loc - function->locs));
        if (!loc && n < DEEPEST) places[n++] = outer;
    }
    struct ptxopt_origin *origins = arena_alloc(arena, n + 1, sizeof *origins);
    for (uint32_t i = 0; i < n; i++)
        origins[i] = (struct ptxopt_origin){file_name(index, view, places[i].file, arena),
                                            places[i].line, places[i].column};
    *count = n;
    return origins;
}
