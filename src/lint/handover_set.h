/* A set of the handovers of a function, and those of them that come right before an instruction. */
#ifndef PTXOPT_LINT_HANDOVER_SET_H
#define PTXOPT_LINT_HANDOVER_SET_H

#include "lint/handover.h"

struct handover_set {
    uint64_t *bits; /* by handover */
    uint32_t *at, count;
};

/* Some handovers of a set, as indices in lint->handovers->at. */
struct handovers_near {
    const uint32_t *at;
    uint32_t count;
    bool all; /* these are all of the set */
};

/* In lint->arena, empty. */
struct handover_set handover_set_new(const struct lint *lint);
void handover_set_clear(const struct lint *lint, struct handover_set *set);

/* The handovers must be added in the order of the text. */
void handover_set_add(struct handover_set *set, uint32_t handover);

/* The handovers of the set that are the last before the instruction in the text, or all if there
 * are few. Try them before all waits in front of an instruction are listed: mostly one of them is
 * what is looked for. */
struct handovers_near handover_set_near(const struct lint *lint, const struct handover_set *set,
                                        uint32_t instr);

#endif
