/* Finds which conditions a later branch or guard may ask about. The answer to a predicate depends
 * only on conditions of the same root (see struct expr), so a condition whose root no later
 * predicate has decides nothing any more. */
#ifndef PTXOPT_LINT_ROOT_REACH_H
#define PTXOPT_LINT_ROOT_REACH_H

#include "lint/lint.h"

struct path_stops;
struct root_reach;

/* For a function and its stops (see path_condition.h). In lint->arena. */
struct root_reach *root_reach_build(const struct lint *lint, const struct path_stops *stops);

/* False if no predicate with that root is asked at the beginning of the block or after it. */
bool root_reach_has(const struct root_reach *reach, uint32_t block, uint32_t root);

#endif
