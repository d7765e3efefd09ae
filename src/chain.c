/* Why does nobody miss the deleted instruction? The lines to look at, in order: the asynchronous
 * operations that it would have ordered, the place where it was, and the instruction that orders
 * them now. It is told for the program as it is after all deletions, so no line of a chain but the
 * edit's own is one that went. */
#include "chain.h"

#include <stdlib.h>

#include "order/pending.h"

enum { NAMED = 4 }; /* operations in a chain */

void chain_facts(struct facts *facts, struct engine_run *run, const struct function_plan *plan)
{
    facts_init(facts, &run->view, plan->function, &plan->cfg, run->assumptions, &run->arena);
    for (uint32_t i = 0; i < plan->deleted.count; i++)
        facts->deleted[plan->deleted.at[i].instr] = true;
}

static uint32_t line_of(const struct facts *facts, uint32_t instr)
{
    return source_place(facts->view->source, facts_instr(facts, instr)->span.start).line;
}

/* Which operations the instruction orders when it is about those issued before; 0 when it is about
 * later ones, or about memory. */
static unsigned ordered_by(enum effect effect)
{
    switch (effect) {
    case EFFECT_WAIT_LD: return PENDING_LD;
    case EFFECT_WAIT_ST: return PENDING_ST;
    case EFFECT_FENCE_BEFORE: return PENDING_ASYNC | PENDING_SINCE_FENCE_BEFORE;
    default: return 0;
    }
}

static int descending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The operations before the site, the nearest in the text first; returns how many there are. */
static uint32_t add_operations(struct ptxopt_step *steps, const struct facts *facts, uint32_t site,
                               uint32_t *count)
{
    struct pending pending;
    uint32_t found = 0, before = 0;
    unsigned ask = ordered_by(facts_effect(facts, site));
    if (!ask) return 0;
    pending_collect(&pending, facts, site, ask);
    found = pending.ops.count;
    if (found) qsort(pending.ops.at, found, sizeof *pending.ops.at, descending);
    while (before < found && pending.ops.at[before] > site) before++; /* around a loop: last */
    if (before == found) before = 0;
    uint32_t named = found - before < NAMED ? found - before : NAMED;
    for (uint32_t i = 0; i < named; i++)
        steps[named - 1 - i] = (struct ptxopt_step){line_of(facts, pending.ops.at[before + i]),
                                                    "issued before, was to be ordered"};
    *count = named;
    pending_free(&pending);
    return found - named;
}

static bool ends_in(const char *text, const char *end)
{
    size_t len = strlen(text), n = strlen(end);
    return len >= n && strcmp(text + len - n, end) == 0;
}

void chain_build(struct ptxopt_edit *edit, const struct facts *facts,
                 const struct decision *decision, struct arena *arena)
{
    struct ptxopt_step *steps = arena_alloc(arena, NAMED + 2, sizeof *steps);
    uint32_t count = 0, witness = decision->verdict.witness;
    struct ptxopt_step deleted = {line_of(facts, decision->instr), "deleted"};
    edit->more_operations = add_operations(steps, facts, decision->instr, &count);
    /* The idle rules look back: something before the site has done all that it would do. */
    bool back = ends_in(decision->rule->id, "-idle"),
         pair = ends_in(decision->rule->id, "pair-fence");
    if (witness != NO_WITNESS && back)
        steps[count++] = (struct ptxopt_step){line_of(facts, witness), "has ordered it before"};
    steps[count++] = deleted;
    if (witness != NO_WITNESS && !back)
        steps[count++] = (struct ptxopt_step){line_of(facts, witness),
                                              facts_effect(facts, witness) == EFFECT_EXIT
                                                  ? "ends the thread, which publishes nothing"
                                              : pair ? "runs in issue order anyway"
                                                     : "orders it instead"};
    edit->chain = steps;
    edit->chain_count = count;
}
