/* Replaces instruction numbers of a plan by places in the text, before the view is freed. */
#include "engine/detach.h"

#include "engine/inlined.h"

static void detach_add_places(const struct function *function, struct decision_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        list->at[i].place = plan_place_of(function, list->at[i].instr);
        list->at[i].witness = plan_place_of(function, list->at[i].verdict.witness);
    }
}

/* Decisions about the same candidate share one stack. */
static void add_inlined(const struct function *function, struct decision_list *list,
                        struct inlined_index *index, struct arena *scratch, struct arena *arena)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct decision *d = &list->at[i], *last = i ? d - 1 : NULL;
        if (last && last->instr == d->instr) {
            d->inlined = last->inlined;
            d->inlined_count = last->inlined_count;
        } else {
            d->inlined =
                inlined_places(index, function, d->instr, scratch, arena, &d->inlined_count);
        }
    }
}

/* Returns the instruction that starts at byte offset at; UINT32_MAX if there is none. */
static uint32_t detach_instr_at(const struct function *function, uint32_t at)
{
    uint32_t low = 0, high = function->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (function->instrs[middle].span.start < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < function->count && function->instrs[low].span.start == at ? low : UINT32_MAX;
}

static struct loc_place origin_at(const struct function *function, uint32_t instr,
                                  struct inlined_index *index, struct arena *scratch)
{
    if (instr >= function->count) return (struct loc_place){.line = 0};
    return inlined_call_site(index, function, instr, scratch);
}

/* Fills the CUDA lines of the witnesses, the grounds and the steps. */
static void add_origins(const struct function *function, struct decision_list *list,
                        struct inlined_index *index, struct arena *scratch)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct decision *d = &list->at[i];
        d->witness_origin = origin_at(function, d->verdict.witness, index, scratch);
        for (uint32_t s = 0; s < d->step_count; s++)
            d->steps[s].origin =
                origin_at(function, detach_instr_at(function, d->steps[s].at), index, scratch);
    }
}

void detach_plan(struct function_plan *plan, const struct function *function, bool origins,
                 struct arena *scratch, struct arena *arena)
{
    struct inlined_index index = {0};
    detach_add_places(function, &plan->deleted);
    detach_add_places(function, &plan->declined);
    detach_add_places(function, &plan->advice);
    add_inlined(function, &plan->deleted, &index, scratch, arena);
    add_inlined(function, &plan->declined, &index, scratch, arena);
    for (int declined = 0; origins && declined <= 1; declined++)
        add_origins(function, declined ? &plan->declined : &plan->deleted, &index, scratch);
    inlined_free(&index);
}
