/* Replaces the calls of a function by instructions that represent what they may do. */
#ifndef PTXOPT_FLOW_EXPAND_H
#define PTXOPT_FLOW_EXPAND_H

#include "flow/callees.h"

/* Inserts a loop of instructions before each call of a function that has a summary: one instruction
 * for each effect of the callee. All have a guard that no other instruction names, so each may
 * happen, in any order and number, and none certainly happens. The call itself then only accesses
 * its registers and memory. If there is no such call, *function does not change and the result is
 * NULL. Otherwise *function becomes a new function in arena, which borrows from the old one.
 * Returns, by instruction of the old function, its index in the new one. */
const uint32_t *expand_calls(struct function *function, struct callees *callees,
                             struct arena *arena);

#endif
