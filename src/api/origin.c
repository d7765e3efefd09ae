/* Resolves places in the CUDA source. See origin.h. */
#include "api/origin.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
    const struct origin_file *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->file < y->file ? -1 : x->file > y->file;
}

static void sort_files(struct origin_files *files, const struct view *view, struct arena *arena)
{
    files->by_number = arena_alloc(arena, view->file_count + 1, sizeof *files->by_number);
    for (uint32_t i = 0; i < view->file_count; i++)
        files->by_number[i] = (struct origin_file){view->files[i].number, i, NULL};
    qsort(files->by_number, view->file_count, sizeof *files->by_number, by_number);
}

/* The name in the last .file directive with that number; "": none. */
static const char *file_name(struct origin_files *files, const struct view *view, uint32_t number,
                             struct arena *arena)
{
    uint32_t low = 0, high = view->file_count;
    if (!files->by_number) sort_files(files, view, arena);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (files->by_number[middle].number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    struct origin_file *found = low ? &files->by_number[low - 1] : NULL;
    if (!found || found->number != number) return "";
    struct str name = view->files[found->file].name;
    if (!found->name) found->name = arena_copy(arena, name.p, name.n);
    return found->name;
}

struct ptxopt_origin origin_of(struct origin_files *files, const struct view *view,
                               struct loc_place place, struct arena *arena)
{
    const char *name = place.line ? file_name(files, view, place.file, arena) : "";
    return (struct ptxopt_origin){name, place.line, place.column};
}

const struct ptxopt_origin *origin_stack(struct origin_files *files, const struct view *view,
                                         const struct loc_place *places, uint32_t count,
                                         struct arena *arena)
{
    struct ptxopt_origin *origins = arena_alloc(arena, count + 1, sizeof *origins);
    for (uint32_t i = 0; i < count; i++) origins[i] = origin_of(files, view, places[i], arena);
    return origins;
}
