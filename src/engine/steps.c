/* Lists, in order, the instructions that show why a removal is right: the asynchronous
 * operations that the instruction would have ordered, the instruction itself, what orders them
 * now, and which instruction needs that order. */
#include "engine/steps.h"

#include <stdlib.h>

#include "engine/grounds.h"

enum { NAMED = 4, MORE = 6 }; /* most operations among the steps, and most other steps */

/* Returns the kinds of earlier operations that the instruction orders; 0 if it orders later
 * operations, or accesses to memory. */
static unsigned ordered_by(enum effect effect)
{
    switch (effect) {
    case EFFECT_WAIT_LD: return OUTSTANDING_LD;
    case EFFECT_WAIT_ST: return OUTSTANDING_ST;
    case EFFECT_FENCE_BEFORE: return OUTSTANDING_ASYNC | OUTSTANDING_SINCE_FENCE_BEFORE;
    default: return 0;
    }
}

static int compare_descending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The steps of one removal while they are built. */
struct list {
    const struct analysis *analysis;
    struct plan_step *at;
    uint32_t count;
};

/* Adds a step. If the instruction has a step already, its part is replaced. */
static void steps_add(struct list *list, const struct plan_ground *ground, const char *part)
{
    uint32_t at = ground->place.span.start, n = 0;
    if (!ground_is(ground)) return;
    while (n < list->count && list->at[n].at != at) n++;
    list->at[n] = (struct plan_step){.at = at, .part = part};
    if (n == list->count) list->count++;
}

/* Collects the operations that the site would order, the last in the text first. Those after the
 * site in the text reach it through a loop. *before: the index of the first operation that is
 * before the site in the text; 0 if there is none. */
static void collect_operations(struct outstanding *outstanding, const struct analysis *analysis,
                               uint32_t site, uint32_t *before)
{
    *outstanding = (struct outstanding){0};
    *before = 0;
    unsigned ask = ordered_by(analysis_effect(analysis, site));
    if (!ask) return;
    outstanding_collect(outstanding, analysis, site, ask);
    uint32_t found = outstanding->ops.count;
    if (found) qsort(outstanding->ops.at, found, sizeof *outstanding->ops.at, compare_descending);
    while (*before < found && outstanding->ops.at[*before] > site) ++*before; /* through a loop */
    if (*before == found) *before = 0;
}

static const char *witness_part(const struct rule *rule, const struct analysis *analysis,
                                uint32_t witness)
{
    if (rule->part) return rule->part;
    if (rule->looks_back) return "ordered it already";
    if (analysis_effect(analysis, witness) == EFFECT_EXIT)
        return "ends the thread; nothing after it needs an order";
    return "orders it instead";
}

static const char *reader_part(const struct plan_grounds *grounds, const struct source *source,
                               struct arena *arena)
{
    struct str reg = source_slice(source, grounds->reg);
    if (!reg.n) return "reads a loaded register, and so waits for the load";
    return arena_printf(arena, "reads %.*s, and so waits for the load", (int)reg.n, reg.p);
}

static void build_steps(struct decision *d, struct plan_grounds *grounds,
                        const uint32_t *operations, uint32_t named, const struct analysis *analysis,
                        struct arena *arena)
{
    struct list list = {analysis, arena_alloc(arena, NAMED + MORE, sizeof *list.at), 0};
    const struct plan_ground site = ground_at(analysis, d->instr),
                             witness = ground_at(analysis, d->verdict.witness);
    bool pair = d->rule->part && ground_is(&grounds->second), first = d->rule->looks_back || pair;
    for (uint32_t i = named; i-- > 0;) {
        const struct plan_ground operation = ground_at(analysis, operations[i]);
        steps_add(&list, &operation, "issued before, must stay ordered");
    }
    const char *part =
        ground_is(&witness) ? witness_part(d->rule, analysis, d->verdict.witness) : NULL;
    if (first) steps_add(&list, &witness, part);
    steps_add(&list, &site, "removed");
    if (ground_is(&grounds->reader))
        steps_add(&list, &grounds->reader, reader_part(grounds, analysis->view->source, arena));
    if (!pair)
        steps_add(&list, &grounds->second,
                  "forms a pipelined pair with each operation that must stay ordered");
    if (!first) steps_add(&list, &witness, part);
    if (pair) steps_add(&list, &grounds->second, "runs second, as the second of this pair");
    steps_add(&list, &grounds->commit, "publishes them");
    if (*reason_need(grounds->why)) steps_add(&list, &grounds->need, "needs that order");
    d->steps = list.at;
    d->step_count = list.count;
}

static void build_one(struct function_plan *plan, struct decision *d,
                      const struct analysis *analysis, struct arena *arena)
{
    struct outstanding outstanding;
    struct plan_grounds *grounds = arena_alloc(arena, 1, sizeof *grounds);
    uint32_t before;
    collect_operations(&outstanding, analysis, d->instr, &before);
    const uint32_t *operations = outstanding.ops.count ? outstanding.ops.at + before : NULL;
    uint32_t count = outstanding.ops.count - before;
    grounds_find(grounds, d, plan, analysis, operations, count);
    if (count) grounds->before = ground_at(analysis, operations[0]);
    uint32_t named = count < NAMED ? count : NAMED;
    build_steps(d, grounds, operations, named, analysis, arena);
    d->more_operations = outstanding.ops.count - named;
    d->grounds = grounds;
    outstanding_free(&outstanding);
}

void steps_build(struct function_plan *plan, const struct analysis *analysis, struct arena *arena)
{
    for (uint32_t i = 0; i < plan->deleted.count; i++)
        build_one(plan, &plan->deleted.at[i], analysis, arena);
}

static bool is_shown_step(const struct instr *instr)
{
    return instr->opcode != &opcode_end_of_body && !(instr->opcode->traits & OPCODE_SETS_UP);
}

void steps_list_operations(struct function_plan *plan, const struct analysis *analysis)
{
    for (uint32_t e = 0; e < analysis->events.count; e++) {
        const struct event *event = &analysis->events.at[e];
        const struct instr *instr = analysis_instr(analysis, event->instr);
        uint8_t effect = event->effect;
        if (instr->opcode->traits & OPCODE_CALLED) {
            if (event->instr &&
                analysis_instr(analysis, event->instr - 1)->span.start == instr->span.start)
                continue;
            effect = EFFECT_CALL;
        }
        if (is_shown_step(instr))
            vec_push(&plan->operations, (struct plan_operation){instr->span, effect});
    }
}
