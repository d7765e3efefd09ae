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

/* 1 + the bit of the root; 0: no predicate that is asked has it. */
uint32_t root_reach_bit(const struct root_reach *reach, uint32_t root);

/* The bits of the roots of the predicates that are asked at the beginning of the block or after
 * it. */
const uint64_t *root_reach_at(const struct root_reach *reach, uint32_t block);

/* False if none of these predicates has the root. bit: from root_reach_bit. */
static inline bool root_reach_has(const uint64_t *at, uint32_t bit)
{
    return bit && at[(bit - 1) / 64] >> (bit - 1) % 64 & 1;
}

#endif
