/* Reports a tcgen05.st that is in flight when its thread releases others. See published_store.h. */
#include "lint/published_store.h"

#include "lint/handover.h"
#include "lint/published.h"
#include "value/barriers.h"
#include "value/tmem.h"

struct store {
    const struct lint_code *code;
    uint32_t instr;
    struct tmem_range range;
    bool has_range;
    struct condition_set set;
    struct releases_met met;
    struct observers *observers;
};

/* A barrier directly before the wait is reported as well, although no thread may observe the store
 * there. */
static bool is_release_reported(const struct lint *lint, const struct store *store,
                                uint32_t release)
{
    return observers_matter(store->observers, release, store->instr) ||
           (release_of(lint, release) == RELEASE_BARRIER &&
            published_waits_next(lint, release, EFFECT_WAIT_ST));
}

static enum walk_does look_for_release_of_store(void *context, const struct lint *lint,
                                                uint32_t instr, unsigned *state)
{
    const struct store *store = context;
    enum effect e = lint_effect(lint, instr);
    (void)state;
    if (e == EFFECT_WAIT_ST || e == EFFECT_CALL || e == EFFECT_EXIT) return WALK_END;
    if (!release_of(lint, instr) || !is_release_reported(lint, store, instr)) return WALK_ON;
    return releases_has(&store->met, instr) ? WALK_END : WALK_FOUND;
}

/* ---- whether it is an error ---- */

static enum walk_does look_for_store_wait(void *context, const struct lint *lint, uint32_t instr,
                                          unsigned *state)
{
    const struct store *store = context;
    enum effect e = lint_effect(lint, instr);
    (void)state;
    if (instr == store->instr || e == EFFECT_EXIT) return WALK_END;
    return e == EFFECT_WAIT_ST || e == EFFECT_CALL ? WALK_FOUND : WALK_ON;
}

/* On no path from the release is a wait for the store, until the store executes again. */
static bool is_never_waited(const struct lint *lint, const struct store *store, uint32_t release)
{
    uint32_t interest =
        1 << EFFECT_ASYNC_ST | 1 << EFFECT_WAIT_ST | 1 << EFFECT_CALL | 1 << EFFECT_EXIT;
    struct walk_path path;
    return !walk_find(lint, release, 0, interest, look_for_store_wait, (void *)store, &path) &&
           !path.gave_up;
}

static enum walk_does look_for_access(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    const struct store *store = context;
    struct tmem_range ranges[TMEM_RANGES_MAX];
    (void)state;
    uint32_t count = tmem_ranges(lint->subject, instr, ranges);
    for (uint32_t i = 0; i < count; i++) {
        if (!tmem_overlap(lint->subject, &store->range, &ranges[i])) continue;
        struct condition_set set = conditions_of(lint->subject, instr);
        if (conditions_other_warp(lint->subject, &store->set, &set)) return WALK_FOUND;
    }
    return WALK_ON;
}

/* After the acquire, another warp can access the columns of the store. */
static bool leads_to_access(const struct lint *lint, const struct store *store, uint32_t acquire)
{
    uint32_t interest = WALK_ASYNC;
    struct walk_path path;
    return walk_find(lint, acquire, 0, interest, look_for_access, (void *)store, &path);
}

/* The mbarrier is in an array, so it is not the same one in each iteration. */
static bool is_indexed(const struct lint *lint, uint32_t release)
{
    const struct barrier_use *use = barriers_at(lint->subject, release);
    return use && use->indexed;
}

/* A thread of another warp that waits for this release accesses the same columns, and no wait ever
 * completes the store. */
static bool is_race(const struct lint *lint, const struct store *store, uint32_t release)
{
    if (!store->has_range || is_indexed(lint, release) || !is_never_waited(lint, store, release))
        return false;
    uint32_t next = 0, other;
    while ((other = observers_next(store->observers, release, &next)) != NO_INSTR)
        if (leads_to_access(lint, store, other)) return true;
    return false;
}

/* ---- the search ---- */

static enum lint_level level_of(const struct lint *lint, const struct store *store,
                                const struct walk_path *path)
{
    uint32_t release = path->found;
    bool meets = release_of(lint, release) == RELEASE_BARRIER;
    if (!path->vague && published_collides(store->observers, store->instr, release))
        return LINT_ERROR;
    if (meets && published_waits_next(lint, release, EFFECT_WAIT_ST)) return LINT_NOTE;
    if (!path->vague && is_race(lint, store, release)) return LINT_ERROR;
    bool early =
        published_is_for_another(store->observers, store->instr, release, EFFECT_WAIT_ST) &&
        !published_store_is_for_none(store->observers, store->instr, release) &&
        !published_frees_slot(lint, store->instr, release);
    return early ? LINT_NOTE : LINT_WARNING;
}

static void report_published_store(struct lint *lint, const struct store *store,
                                   const struct walk_path *path)
{
    enum lint_level level = level_of(lint, store, path);
    const char *says = level == LINT_ERROR
                           ? "the store at %s is in flight when this releases other threads[: no "
                             "wait completes it, and another warp accesses the same columns]"
                           : "the store at %s may be in flight when this releases other threads[: "
                             "no wait completes it]";
    lint_report(lint, (struct hazard){store->code, level, path->found, store->instr, says,
                                      "write tcgen05.wait::st between %s and here", path->instrs,
                                      path->count, NULL});
}

void published_store_report(struct lint *lint, const struct lint_code *code,
                            struct observers *observers)
{
    const struct handovers *all = lint->handovers;
    uint32_t interest = RELEASE_EFFECTS | 1 << EFFECT_WAIT_ST | 1 << EFFECT_CALL | 1 << EFFECT_EXIT;
    for (uint32_t n = 0; n < all->op_count; n++) {
        uint32_t i = all->ops[n].instr;
        if (lint_effect(lint, i) != EFFECT_ASYNC_ST) continue;
        struct store store = {.code = code,
                              .instr = i,
                              .set = conditions_of(lint->subject, i),
                              .observers = observers};
        struct walk_path path;
        store.has_range = tmem_ranges(lint->subject, i, &store.range) == 1;
        while (store.met.count < RELEASES_TOLD_MAX &&
               walk_find(lint, i, 0, interest, look_for_release_of_store, &store, &path)) {
            report_published_store(lint, &store, &path);
            vec_push(&store.met, path.found);
        }
        vec_free(&store.met);
    }
}
