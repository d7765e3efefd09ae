/* The ordering steps of a deletion: what the deleted instruction ordered, and what orders it
 * now. */
#ifndef PTXOPT_ENGINE_STEPS_H
#define PTXOPT_ENGINE_STEPS_H

#include "engine/plan.h"

/* Fills decision's steps, in arena. analysis: the program as it is after all deletions, so that no
 * line of the steps but the decision's own is one that went. */
void steps_build(struct decision *decision, const struct analysis *analysis, struct arena *arena);

#endif
