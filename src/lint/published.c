/* What a release that finds an operation in flight is for. See published.h. */
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
