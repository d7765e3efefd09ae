/* Decides whether a load reads what an asynchronous copy has written: a path leads from a wait for
 * the copy's mbarrier to the load without a store to the place. */
#include "lint/smem_stage.h"

#include "lint/arrays.h"
#include "lint/walk.h"
#include "value/barriers.h"

struct reading {
    const struct smem_places *places;
    const struct smem_place *load;
};

static enum walk_does look_for_load(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    const struct reading *r = context;
    uint32_t count;
    (void)lint;
    (void)state;
    if (instr == r->load->instr) return WALK_FOUND;
    const struct smem_place *access = smem_places_of(r->places, instr, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!access[i].async && access[i].writes && smem_places_meet(&access[i], r->load))
            return WALK_END;
    return WALK_ON;
}

static bool reads_behind(const struct lint *lint, const struct reading *r,
                         const struct barrier_use *copy)
{
    const struct barriers *barriers = lint->subject->barriers;
    const uint32_t places =
        WALK_SHARED_MEMORY | 1u << EFFECT_MEET_MEMORY | 1u << EFFECT_BOTH_MEMORY;
    struct walk_path path;
    lint_spend(lint, barriers->count);
    for (uint32_t i = 0; i < barriers->count; i++) {
        const struct barrier_use *wait = &barriers->uses[i];
        bool waits = barriers_same(wait, copy) || arrays_likely_same(lint, wait, copy);
        if (wait->kind != BARRIER_WAIT || !waits) continue;
        if (walk_find(lint, wait->instr, 0, places, look_for_load, (void *)r, &path)) return true;
    }
    return false;
}

bool smem_stage_is(const struct lint *lint, const struct smem_places *places,
                   const struct smem_place *load)
{
    struct reading r = {places, load};
    lint_spend(lint, places->count);
    for (uint32_t i = 0; i < places->count; i++) {
        const struct smem_place *copy = &places->at[i];
        if (!copy->async || !copy->writes || !smem_places_meet(copy, load)) continue;
        const struct barrier_use *use = barriers_at(lint->subject, copy->instr);
        if (use && reads_behind(lint, &r, use)) return true;
    }
    return false;
}
