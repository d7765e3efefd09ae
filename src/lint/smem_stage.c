/* Decides whether a load reads what an asynchronous copy has written: a path leads from a wait for
 * the copy's mbarrier to the load without a store to the place. */
#include "lint/smem_stage.h"

#include "lint/arrays.h"
#include "lint/handover.h"
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

static bool finds_load(const struct lint *lint, const struct reading *r, uint32_t wait)
{
    const uint32_t places =
        WALK_SHARED_MEMORY | 1u << EFFECT_MEET_MEMORY | 1u << EFFECT_BOTH_MEMORY;
    struct walk_path path;
    return walk_find(lint, wait, 0, places, look_for_load, (void *)r, &path);
}

/* The wait is for a copy to the place of the load. */
static bool is_for_copy(const struct lint *lint, const struct reading *r,
                        const struct barrier_use *wait)
{
    const struct barriers *barriers = lint->subject->barriers;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_alike(lint->subject, wait, i)) < barriers->count;) {
        uint32_t count;
        lint_spend(lint, 1);
        if (barriers->uses[i].kind != BARRIER_COPY || !barriers_same(wait, &barriers->uses[i]))
            continue;
        const struct smem_place *copy = smem_places_of(r->places, barriers->uses[i].instr, &count);
        for (uint32_t k = 0; k < count; k++)
            if (copy[k].async && copy[k].writes && smem_places_meet(&copy[k], r->load)) return true;
    }
    return false;
}

/* As reads_behind, for the waits right before the load in the text. Mostly one of them is for the
 * copy, and from the others it may be far to the load. */
static bool reads_behind_near(const struct lint *lint, const struct reading *r)
{
    enum { NEAR = 4 };
    const struct handovers *all = lint->handovers;
    uint32_t h = handover_from(all, r->load->instr);
    for (uint32_t k = 0; h-- > 0 && k < NEAR; k++) {
        const struct handover *wait = &all->at[h];
        if (wait->channel == CHANNEL_MBARRIER && wait->waits && is_for_copy(lint, r, wait->use) &&
            finds_load(lint, r, wait->instr))
            return true;
    }
    return false;
}

static bool reads_behind(const struct lint *lint, const struct reading *r,
                         const struct barrier_use *copy)
{
    const struct barriers *barriers = lint->subject->barriers;
    lint_spend(lint, barriers->count);
    for (uint32_t i = 0; i < barriers->count; i++) {
        const struct barrier_use *wait = &barriers->uses[i];
        bool waits = barriers_same(wait, copy) || arrays_likely_same(lint, wait, copy);
        if (wait->kind != BARRIER_WAIT || !waits) continue;
        if (finds_load(lint, r, wait->instr)) return true;
    }
    return false;
}

bool smem_stage_is(const struct lint *lint, const struct smem_places *places,
                   const struct smem_place *load)
{
    struct reading r = {places, load};
    if (reads_behind_near(lint, &r)) return true;
    lint_spend(lint, places->count);
    for (uint32_t i = 0; i < places->count; i++) {
        const struct smem_place *copy = &places->at[i];
        if (!copy->async || !copy->writes || !smem_places_meet(copy, load)) continue;
        const struct barrier_use *use = barriers_at(lint->subject, copy->instr);
        if (use && reads_behind(lint, &r, use)) return true;
    }
    return false;
}
