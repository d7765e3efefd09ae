/* Replaces the calls of a function by what they may do. */
#ifndef PTXOPT_FLOW_EXPAND_H
#define PTXOPT_FLOW_EXPAND_H

#include "flow/callees.h"

/* Puts in front of each call of a function that can be read what it represents: a loop of
 * instructions, one for each class that the callee holds, all guarded by a register that nothing
 * else names, so that any of them may happen, in any order and number, and none for certain. The
 * call itself only works on its registers then, and on memory. *function, and all that it points
 * to, is not changed where there is no such call; else it becomes another, in arena. Returns, by
 * instruction before, which it is now; NULL when nothing changed. */
const uint32_t *expand_calls(struct function *function, struct callees *callees,
                             struct arena *arena);

#endif
