/* The conditions under which control gets to a place, and whether two of them exclude each other. A
 * condition is a predicate's value (see values.h) and whether it held. */
#ifndef PTXOPT_VALUE_CONDITIONS_H
#define PTXOPT_VALUE_CONDITIONS_H

#include "value/condition_set.h"
#include "value/values.h"

enum truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN };

/* Sets subject->conditions. After values_build; end with conditions_free. */
void conditions_build(struct subject *subject);
void conditions_free(struct conditions *conditions);

/* What holds at the beginning of the block on every path from the entry; only of fixed values, so
 * for the thread it holds forever. */
const struct condition_set *conditions_at(const struct subject *subject, uint32_t block);

/* Some path to the block does not contradict itself. */
bool conditions_reach(const struct subject *subject, uint32_t block);

/* False when control never passes from the one block to the other, a successor of it. */
bool conditions_take(const struct subject *subject, uint32_t from, uint32_t succ);

/* Adds to *set what holds when control enters one block from the other. False when it contradicts
 * the set: no thread takes the edge with it. */
bool conditions_on_edge(const struct subject *subject, uint32_t from, uint32_t succ,
                        struct condition_set *set);

/* Of the instruction: those of its block and its guard. */
struct condition_set conditions_of(const struct subject *subject, uint32_t instr);

/* Whether the predicate's value holds, given these. */
enum truth condition_truth(const struct subject *subject, const struct condition_set *set,
                           struct value predicate);

/* Adds that the predicate's value holds, or not, and what follows from it. False when it
 * contradicts those that are there. */
bool condition_add(const struct subject *subject, struct condition_set *set, struct value predicate,
                   bool holds);

/* Forgets what may change. */
void conditions_keep_fixed(const struct subject *subject, struct condition_set *set);

/* Both say the same, in the same order. */
bool conditions_same(const struct condition_set *a, const struct condition_set *b);

/* No thread can have met both. */
bool conditions_exclude(const struct subject *subject, const struct condition_set *a,
                        const struct condition_set *b);

/* No warp can have met both: by values that all its lanes share. A warp of one instruction is then
 * another than a warp of the other: another role. */
bool conditions_other_warp(const struct subject *subject, const struct condition_set *a,
                           const struct condition_set *b);

/* One lane of each warp at the most: under elect.sync, or a test for one lane or thread. */
bool conditions_one_lane(const struct subject *subject, const struct condition_set *set);

#endif
