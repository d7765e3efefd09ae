/* published-incomplete: a thread lets others go on while its own tcgen05.ld or st is in flight. */
#include "lint/published.h"

struct next {
    enum effect wait;
};

static enum walk_does look_for_release(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct next *next = context;
    enum effect e = lint_effect(lint, instr);
    (void)state;
    if (e == next->wait || e == EFFECT_CALL || e == EFFECT_EXIT) return WALK_END;
    return release_of(lint, instr) ? WALK_FOUND : WALK_ON;
}

bool published_waits_next(const struct lint *lint, uint32_t barrier, enum effect wait)
{
    struct next next = {wait};
    struct walk_path path;
    uint32_t interest = RELEASE_EFFECTS | 1u << wait | 1 << EFFECT_CALL | 1 << EFFECT_EXIT;
    return !walk_forward(lint, barrier, 0, interest, look_for_release, &next, &path) &&
           !path.gave_up;
}

/* ---- for another release ---- */

struct behind_wait {
    struct observers *observers;
    uint32_t operation;
    enum effect wait;
};

static enum walk_does look_behind_wait(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct behind_wait *behind = context;
    enum effect e = lint_effect(lint, instr);
    if (instr == behind->operation || e == EFFECT_CALL || e == EFFECT_EXIT) return WALK_END;
    if (e == behind->wait) *state = 1;
    if (!*state || !release_of(lint, instr)) return WALK_ON;
    return observers_matter(behind->observers, instr, behind->operation) ? WALK_FOUND : WALK_ON;
}

static enum walk_does look_for_no_wait(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct behind_wait *behind = context;
    enum effect e = lint_effect(lint, instr);
    (void)state;
    if (e == behind->wait) return WALK_END;
    return instr == behind->operation || e == EFFECT_CALL || e == EFFECT_EXIT ? WALK_FOUND
                                                                              : WALK_ON;
}

bool published_is_for_another(struct observers *observers, uint32_t operation, uint32_t release,
                              enum effect wait)
{
    struct lint *lint = observers_lint(observers);
    struct behind_wait behind = {observers, operation, wait};
    uint32_t interest = RELEASE_EFFECTS | 1u << wait | 1u << lint_effect(lint, operation) |
                        1 << EFFECT_CALL | 1 << EFFECT_EXIT;
    struct walk_path path;
    return !walk_forward(lint, release, 0, interest, look_for_no_wait, &behind, &path) &&
           !path.gave_up &&
           walk_forward(lint, release, 0, interest, look_behind_wait, &behind, &path);
}

static void find(struct lint *lint)
{
    published_find_loads(lint);
    published_find_stores(lint);
}

const struct lint_code lint_published_incomplete = {
    .id = "published-incomplete",
    .section = "9.7.16.6.4.4",
    .summary = "a thread releases others while a tcgen05.ld or st of its own is in flight",
    .sentence = "In this pattern, the producer threads that issue the asynchronous tcgen05 "
                "instructions must explicitly wait for the instructions' completion before "
                "synchronizing with the consumer threads.",
    .risk = "the other thread overwrites columns that are still being read, or reads columns that "
            "are not written yet",
    .explanation =
        "Broken:  tcgen05.ld; (arithmetic); mbarrier.arrive\n"
        "Right:   tcgen05.ld; tcgen05.wait::ld; (arithmetic); mbarrier.arrive\n"
        "Broken:  tcgen05.st; mbarrier.arrive\n"
        "Right:   tcgen05.st; tcgen05.wait::st; mbarrier.arrive\n"
        "A tcgen05.fence::before_thread_sync orders, it completes nothing.\n"
        "Releases are mbarrier.arrive, bar and barrier, barrier.cluster.arrive, releasing stores, "
        "and relaxed ones of a constant. Not arrive.expect_tx, which arms an mbarrier for a copy, "
        "nor bar.warp.sync.\n"
        "A load is a note where each register of it reaches a store, red, shfl or another access "
        "to memory ahead of the release, on every path: the hardware has to wait for the value "
        "then, though the ISA promises nothing. A warning where it is only computed with, used in "
        "part, by some lanes, or not at all: ptxas moves the arrive ahead of the arithmetic.\n"
        "A store is a warning, and an error where another warp that waits for this release "
        "touches the same columns and no path has a wait for the store behind it. At a bar.sync "
        "either is a note when its wait comes before the next release, at an arrive when another "
        "release behind that wait speaks for it.",
    .find = find,
};
