/* Finds the branches that always go one way. */
#ifndef PTXOPT_VALUE_CONSTANTS_H
#define PTXOPT_VALUE_CONSTANTS_H

#include "value/subject.h"

/* By index into cfg->succs: control never takes it, as the predicate of the branch is a constant
 * whenever control reaches it: the loop runs once, the flag was never set. In subject->arena; NULL
 * when there is no such edge. After values_build. */
bool *constants_dead_edges(const struct subject *subject);

#endif
