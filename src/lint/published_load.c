/* Reports a tcgen05.ld that is in flight when its thread releases others. If the registers of the
 * load have been stored, the load most likely is complete, because a store waits for its
 * register. */
#include "lint/published_load.h"

#include "lint/dependents.h"
#include "lint/handover.h"
#include "lint/published.h"
#include "lint/readers.h"

/* What the walk looks for: the first release that matters */
enum asked {
    ASKED_OPEN,     /* and before which some register has not been stored */
    ASKED_CONSUMED, /* and before which all registers have been stored */
    ASKED_MEETING,  /* or a bar.sync that seems not to matter, with the load in flight */
    ASKED_COUNT
};

/* The wait counts as usual in a kernel with at least this many loads that a wait follows. */
enum { LIKE_LOADS = 2 };

/* A path ends where its set of stored registers would be one more than these, in addition to
 * SETS_A_REGISTER for each register: n stores in a row make n sets, but n guarded stores 2^n. */
enum { SETS_LEAST = 16, SETS_A_REGISTER = 1 };

/* Counts blocks with loads. Several loads before one wait count once. */
struct waits_habit {
    uint32_t waited, without;             /* with a wait before the release, and with only stores */
    uint32_t waited_block, without_block; /* the last block of each kind */
    uint32_t first; /* index in lint->hazards of the first finding for a load without a wait */
};

struct load {
    const struct lint_code *code;
    uint32_t instr;
    struct dependents *dependents;
    struct observers *observers;
    struct loaded_set all;
    struct loaded_sets used; /* the state of a path is an index into it */
    struct releases_met met;
    enum asked asked;
    /* What the last walk for ASKED_OPEN, which has found nothing, may have come to: releases that
     * matter and before which all registers have been stored; and whether a bar.sync that seems not
     * to matter, with the load in flight. */
    struct releases_met consumed;
    bool meets;
    uint32_t warned; /* the last load with a warning, or that the same wait would complete;
                        NO_INSTR: none */
    uint32_t sets_most;
    bool too_many; /* some path ended for that */
    struct waits_habit habit;
    struct walk_question released[2]; /* by whether a wait ends the path: see look_for_any */
};

static enum walk_does look_for_published_load(void *context, const struct lint *lint,
                                              uint32_t instr, unsigned *state)
{
    struct load *load = context;
    enum effect e = lint_effect(lint, instr);
    if (e == EFFECT_WAIT_LD || e == EFFECT_CALL || e == EFFECT_EXIT) return WALK_END;
    struct loaded_set used = load->used.all.at[*state];
    enum release_kind release = release_of(lint, instr);
    if (release && observers_matter(load->observers, instr, load->instr)) {
        if (releases_has(&load->met, instr)) return WALK_END;
        enum asked is = loaded_set_covers(&used, &load->all) ? ASKED_CONSUMED : ASKED_OPEN;
        if (load->asked == ASKED_OPEN && is == ASKED_CONSUMED &&
            !releases_has(&load->consumed, instr))
            vec_push(&load->consumed, instr);
        return is == load->asked ? WALK_FOUND : WALK_END;
    }
    if (release == RELEASE_BARRIER && load->asked != ASKED_CONSUMED) {
        bool covers = loaded_set_covers(&used, &load->all);
        load->meets |= !covers;
        if (load->asked == ASKED_MEETING) return covers ? WALK_END : WALK_FOUND;
    }
    struct loaded_set read = dependents_read_by(load->dependents, instr);
    if (!loaded_set_add(&used, &read)) return WALK_ON;
    *state = loaded_sets_place(&load->used, &used);
    if (load->used.all.count <= load->sets_most) return WALK_ON;
    load->too_many = true;
    return WALK_END;
}

static const char *published_load_words(const struct load *load, const struct loaded_set *used)
{
    switch (load->asked) {
    case ASKED_CONSUMED:
        return "no wait completes the load at %s before this[, though each of its registers was "
               "stored]";
    case ASKED_MEETING:
        return "the load at %s may be in flight at this barrier[; this is only a note, since "
               "no thread of the barrier accesses the columns of the load before the next barrier]";
    default:
        return loaded_set_is_empty(used)
                   ? "the load at %s may be in flight when this releases other threads[: no wait "
                     "completes it, and none of its registers was stored yet]"
                   : "the load at %s may be in flight when this releases other threads[: no wait "
                     "completes it, and not all of its registers were stored on this path]";
    }
}

static void report_published_load(struct lint *lint, const struct load *load, uint32_t at,
                                  const struct walk_path *path)
{
    bool meets = release_of(lint, path->found) == RELEASE_BARRIER;
    bool collides = load->asked == ASKED_OPEN &&
                    published_collides(load->observers, at, path->found) && !path->vague;
    if (load->asked == ASKED_OPEN && meets && !path->vague)
        collides |= published_meets_product(lint, at, path->found);
    bool note = load->asked != ASKED_OPEN || path->vague ||
                (!observers_collide(load->observers, path->found, at) &&
                 !published_is_reused(load->observers, at, path->found)) ||
                (meets && !observers_reach_dealloc(load->observers, path->found) &&
                 published_waits_next(lint, path->found, EFFECT_WAIT_LD)) ||
                (published_is_for_another(load->observers, at, path->found, EFFECT_WAIT_LD) &&
                 !published_frees_slot(lint, at, path->found));
    const uint32_t *steps = path->instrs;
    uint32_t count = path->count;
    if (load->asked == ASKED_CONSUMED) steps = dependents_path(load->dependents, steps, &count);
    lint_report(
        lint, (struct hazard){load->code, note && !collides ? LINT_NOTE : LINT_WARNING, path->found,
                              at, published_load_words(load, &load->used.all.at[path->state]),
                              "write tcgen05.wait::ld between %s and here", steps, count, NULL});
}

/* context: a bool, whether a wait ends the path. */
static enum walk_does look_for_any(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    enum effect e = lint_effect(lint, instr);
    const bool *waits = context;
    (void)state;
    if ((*waits && e == EFFECT_WAIT_LD) || e == EFFECT_CALL || e == EFFECT_EXIT) return WALK_END;
    return release_of(lint, instr) ? WALK_FOUND : WALK_ON;
}

/* A wait follows in the block, or in the blocks that each path enters behind it. */
static bool waits_in_line(const struct lint *lint, uint32_t at)
{
    enum { BLOCKS_MAX = 8 };
    const struct block *block = &lint->cfg->blocks[lint->cfg->block_of[at]];
    for (uint32_t n = 0, i = at + 1; n < BLOCKS_MAX; n++, i = block->first) {
        for (; i < block->end; i++)
            if (lint_effect(lint, i) == EFFECT_WAIT_LD) return true;
        if (block->succ_count != 1) return false;
        block = &lint->cfg->blocks[lint->cfg->succs[block->first_succ]];
    }
    return false;
}

/* Counts the load if a wait for it certainly follows, and a release can follow. */
static void note_waited(const struct lint *lint, struct load *load, uint32_t at)
{
    struct waits_habit *habit = &load->habit;
    uint32_t block = lint->cfg->block_of[at];
    if (habit->without > 1 || habit->waited >= LIKE_LOADS) return; /* the count no longer matters */
    if (habit->waited && habit->waited_block == block) return;
    if (!waits_in_line(lint, at) || !walk_question_leads(lint, &load->released[false], at, 0))
        return;
    habit->waited++;
    habit->waited_block = block;
}

/* Counts a load that is reported because its registers are stored without a wait. first: index of
 * its first hazard. */
static void note_unwaited(const struct lint *lint, struct waits_habit *habit, uint32_t at,
                          uint32_t first)
{
    uint32_t block = lint->cfg->block_of[at];
    if (habit->without && habit->without_block == block) return;
    habit->without++;
    habit->without_block = block;
    habit->first = first;
}

/* What is computed from the load is stored to tensor memory only. A wait::st for that comes after
 * the load is complete, since the store needs its registers. */
static bool is_stored_back(const struct lint *lint, const struct load *load, uint32_t at)
{
    bool stored = false;
    dependents_follow(load->dependents, at);
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        struct loaded_set read = dependents_read_by(load->dependents, lint->subject->acting[n]);
        if (loaded_set_is_empty(&read)) continue;
        if (lint_effect(lint, lint->subject->acting[n]) != EFFECT_ASYNC_ST) return false;
        stored = true;
    }
    return stored && lint_has_effect(lint, EFFECT_WAIT_ST);
}

/* If all other loads of the kernel have a wait, the only one without it was most likely
 * forgotten. */
static void raise_odd_load(struct lint *lint, const struct load *load)
{
    const struct waits_habit *habit = &load->habit;
    if (habit->without != 1 || habit->waited < LIKE_LOADS) return;
    if (is_stored_back(lint, load, lint->hazards.at[habit->first].witness)) return;
    struct hazard *odd = &lint->hazards.at[habit->first];
    odd->level = LINT_WARNING;
    odd->says = "no wait completes the load at %s before this[, though each of its registers was "
                "stored; the other loads of this kernel have a wait]";
}

/* Looks for the next release that is asked for. What a walk for ASKED_OPEN has not come to, the
 * others do not find either: they go the same paths or fewer. The sketch of walk_find calls look
 * for all places that the walk may come to. */
static bool find_next_release(const struct lint *lint, struct load *load, struct walk_path *path)
{
    uint32_t interest = RELEASE_EFFECTS | 1 << EFFECT_MEMORY | 1 << EFFECT_MEET_MEMORY |
                        1 << EFFECT_WAIT_LD | 1 << EFFECT_ASYNC_ST | 1 << EFFECT_CALL |
                        1 << EFFECT_EXIT;
    const struct loaded_set none = {{0}};
    bool may = load->asked == ASKED_OPEN || (load->asked == ASKED_MEETING && load->meets);
    for (uint32_t i = 0; load->asked == ASKED_CONSUMED && i < load->consumed.count; i++)
        may |= !releases_has(&load->met, load->consumed.at[i]);
    if (!may) return false;
    if (load->asked == ASKED_OPEN) {
        load->consumed.count = 0;
        load->meets = false;
    }
    return walk_find(lint, load->instr, loaded_sets_place(&load->used, &none), interest,
                     look_for_published_load, load, path);
}

static bool has_warning(const struct lint *lint, uint32_t first)
{
    for (uint32_t i = first; i < lint->hazards.count; i++)
        if (lint->hazards.at[i].level != LINT_NOTE) return true;
    return false;
}

/* A wait that the last load with a warning needs completes this load, too. */
static bool is_cured(const struct lint *lint, struct load *load, uint32_t at)
{
    if (load->warned == NO_INSTR || lint->cfg->block_of[load->warned] != lint->cfg->block_of[at])
        return false;
    for (uint32_t i = load->warned + 1; i < at; i++)
        if (release_of(lint, i) || lint_effect(lint, i) == EFFECT_WAIT_LD) return false;
    load->warned = at;
    return true;
}

static void find_of(struct lint *lint, struct load *load, uint32_t at)
{
    struct walk_path path;
    uint32_t first = lint->hazards.count;
    if (is_cured(lint, load, at)) return;
    if (!walk_question_leads(lint, &load->released[true], at, 0)) {
        note_waited(lint, load, at);
        return;
    }
    dependents_follow(load->dependents, at);
    load->all = dependents_all(load->dependents);
    load->sets_most = SETS_LEAST + SETS_A_REGISTER * loaded_set_count(&load->all);
    load->instr = at;
    load->met.count = 0;
    /* One wait cures what is found for the load, so notes do not follow a warning. */
    for (enum asked asked = 0; asked < ASKED_COUNT && !has_warning(lint, first); asked++) {
        uint32_t most = asked == ASKED_MEETING ? 1 : RELEASES_TOLD_MAX;
        load->asked = asked;
        loaded_sets_clear(&load->used);
        while (load->met.count < most && find_next_release(lint, load, &path)) {
            report_published_load(lint, load, at, &path);
            vec_push(&load->met, path.found);
            if (asked == ASKED_CONSUMED && lint->hazards.count == first + 1)
                note_unwaited(lint, &load->habit, at, first);
        }
    }
    if (has_warning(lint, first)) load->warned = at;
}

void published_load_report(struct lint *lint, const struct lint_code *code,
                           struct observers *observers)
{
    const struct handovers *all = lint->handovers;
    struct load load = {.code = code,
                        .warned = NO_INSTR,
                        .dependents = dependents_build(lint),
                        .observers = observers};
    uint32_t interest = RELEASE_EFFECTS | 1 << EFFECT_WAIT_LD | 1 << EFFECT_CALL | 1 << EFFECT_EXIT;
    bool waits[2] = {false, true};
    for (int i = 0; i < 2; i++)
        load.released[i] = (struct walk_question){interest, look_for_any, &waits[i], NULL};
    for (uint32_t n = 0; n < all->op_count; n++) {
        uint32_t instr = all->ops[n].instr;
        if (lint_effect(lint, instr) == EFFECT_ASYNC_LD && readers_have_result(lint, instr))
            find_of(lint, &load, instr);
    }
    raise_odd_load(lint, &load);
    if (load.too_many) lint_stop_short(lint);
    for (int i = 0; i < 2; i++) walk_question_end(lint, &load.released[i]);
    dependents_free(load.dependents);
    loaded_sets_free(&load.used);
    vec_free(&load.met);
    vec_free(&load.consumed);
}
