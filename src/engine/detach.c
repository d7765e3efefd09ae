/* Turns what a plan says of instructions into places in the text, before the view is freed. */
#include "engine/detach.h"

#include "engine/inlined.h"

static void detach_add_places(const struct function *function, struct decision_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        list->at[i].place = plan_place_of(function, list->at[i].instr);
        list->at[i].witness = plan_place_of(function, list->at[i].verdict.witness);
    }
}

/* Several decisions of one candidate share them. */
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

void detach_plan(struct function_plan *plan, const struct function *function, struct arena *scratch,
                 struct arena *arena)
{
    struct inlined_index index = {0};
    detach_add_places(function, &plan->deleted);
    detach_add_places(function, &plan->declined);
    detach_add_places(function, &plan->advice);
    add_inlined(function, &plan->deleted, &index, scratch, arena);
    add_inlined(function, &plan->declined, &index, scratch, arena);
    inlined_free(&index);
}
