/* Finds the CUDA source lines from which an instruction was compiled. See origins.h. */
#include "report/origins.h"

#include <inttypes.h>

#include "report/clean.h"

enum { FILE_MOST = 512 }; /* bytes of a file name */

/* False for lines above INT32_MAX, which .loc can express but no source has. */
static bool is_known_origin(const struct ptxopt_origin *origin)
{
    return origin->line && origin->line <= INT32_MAX && *origin->file;
}

/* Appends "matmul.cu:172, through tcgen05.cuh:40, ptx.h:12": the call site, then what was inlined
 * there, the innermost last. Appends nothing if that is not known. */
static void add_stack(struct buf *out, const struct review_item *item)
{
    const char *between = "";
    for (uint32_t i = 0; i < item->stack.count; i++) {
        const struct review_place *place = &item->stack.at[i];
        buf_printf(out, "%s%s:%" PRIu32, between, place->source->place, place->line);
        between = *between ? ", " : ", through ";
    }
}

static const struct review_source *source_of(struct review_file *file, const char *name)
{
    uint32_t known = intern_find(&file->source_names, 0, str_from(name));
    if (known != INTERN_NONE) return file->sources.at[known];
    struct review_source *source = arena_alloc(&file->arena, 1, sizeof *source);
    source->file = clean_start(&file->arena, str_from(name), FILE_MOST);
    source->place = clean_path(&file->arena, source->file);
    const char *key = arena_copy(&file->arena, name, strlen(name));
    intern_add(&file->source_names, 0, str_from(key));
    vec_push(&file->sources, source);
    return source;
}

struct review_place origins_place(struct review_file *file, const struct ptxopt_origin *origin)
{
    if (!is_known_origin(origin)) return (struct review_place){.source = NULL};
    return (struct review_place){source_of(file, origin->file), origin->line, origin->column};
}

void origins_add(struct review_file *file, struct review_item *item,
                 const struct ptxopt_finding *finding)
{
    for (uint32_t i = finding->origin_count; i--;)
        if (is_known_origin(&finding->origins[i]))
            vec_push(&item->stack, origins_place(file, &finding->origins[i]));
    origins_say(file, item);
}

void origins_say(struct review_file *file, struct review_item *item)
{
    struct buf says = {0};
    add_stack(&says, item);
    item->source_says = clean_utf8(&file->arena, (struct str){says.data, says.len});
    item->source_file = item->stack.count ? item->stack.at[0].source->place : "";
    item->source_line = item->stack.count ? item->stack.at[0].line : 0;
    buf_free(&says);
}

struct review_place origins_of_witness(const struct review_item *item)
{
    for (uint32_t i = 0; i < item->steps.count; i++)
        if (item->steps.at[i].line == item->finding.witness_line) return item->steps.at[i].origin;
    return (struct review_place){.source = NULL};
}
