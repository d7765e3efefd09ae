/* Writes what --fix did for each finding, one line each. See fixes.h. */
#include "report/fixes.h"

#include <inttypes.h>

#include "report/clean.h"

static void add_insertions(struct buf *out, struct arena *arena,
                           const struct ptxopt_finding *finding)
{
    for (uint32_t i = 0; i < finding->insertion_count; i++) {
        const struct ptxopt_insertion *insertion = &finding->insertions[i];
        buf_printf(out, "%s%s in front of PTX line %" PRIu32, i ? ", " : "",
                   clean_instruction(arena, str_from(insertion->text)), insertion->line);
    }
}

void fixes_print(struct buf *out, const char *name, const struct ptxopt_result *result, bool done)
{
    const struct ptxopt_finding *finding = NULL;
    struct arena arena = {0};
    while ((finding = ptxopt_result_next(result, PTXOPT_HAZARD, finding))) {
        clean_add(out, str_from(name));
        buf_printf(out, ":%" PRIu32 ":%" PRIu32 ": ", finding->line, finding->column);
        if (finding->insertion_count) {
            buf_printf(out, "fixed: %s ", done ? "inserted" : "would insert");
            add_insertions(out, &arena, finding);
        } else {
            buf_printf(out, "not fixed: %s", finding->not_fixed);
        }
        buf_printf(out, " [%s]\n", finding->code);
    }
    arena_free(&arena);
}
