/* What the conditions of two instructions say about each other. Answers are computed once for each
 * pair of sets, because a function has many instructions and few sets. */
#ifndef PTXOPT_VALUE_CONDITION_PAIRS_H
#define PTXOPT_VALUE_CONDITION_PAIRS_H

#include "value/conditions.h"

/* Sets subject->condition_pairs. Call conditions_build first; free it with condition_pairs_free. */
void condition_pairs_build(struct subject *subject);
void condition_pairs_free(struct condition_pairs *pairs);

/* conditions_of, conditions_exclude, conditions_other_warp and conditions_one_lane for
 * instructions. The set is valid until condition_pairs_free. */
const struct condition_set *condition_pairs_set(const struct subject *subject, uint32_t instr);
bool condition_pairs_exclude(const struct subject *subject, uint32_t a, uint32_t b);
/* The number of that set: instructions with equal conditions have the same one. */
uint32_t condition_pairs_number(const struct subject *subject, uint32_t instr);
/* The conditions at the beginning of the block exclude the conditions of the instruction. */
bool condition_pairs_exclude_block(const struct subject *subject, uint32_t instr, uint32_t block);
bool condition_pairs_other_warp(const struct subject *subject, uint32_t a, uint32_t b);
bool condition_pairs_one_lane(const struct subject *subject, uint32_t instr);
/* For each thread that executes a, another one executes b. */
bool condition_pairs_another_thread(const struct subject *subject, uint32_t a, uint32_t b);
/* That is so neither of a and b, nor of b and a. */
bool condition_pairs_same_thread(const struct subject *subject, uint32_t a, uint32_t b);

#endif
