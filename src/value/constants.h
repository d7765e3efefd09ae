/* Finds branches that always go the same way. */
#ifndef PTXOPT_VALUE_CONSTANTS_H
#define PTXOPT_VALUE_CONSTANTS_H

#include "value/subject.h"

/* Returns, by index into cfg->succs, whether control never takes the edge because the predicate of
 * its branch has a constant value whenever control reaches the branch: a loop that runs once, a
 * flag that is never set. In subject->arena; NULL if there is no such edge. Call values_build
 * first. */
bool *constants_dead_edges(const struct subject *subject);

#endif
