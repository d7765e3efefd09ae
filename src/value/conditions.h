/* The conditions under which control reaches a place, and whether two of them exclude each other. A
 * condition is the value of a predicate (see values.h) and whether it is true. */
#ifndef PTXOPT_VALUE_CONDITIONS_H
#define PTXOPT_VALUE_CONDITIONS_H

#include "value/condition_set.h"
#include "value/values.h"

enum truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN };

/* Sets subject->conditions. Call values_build first; free it with conditions_free. */
void conditions_build(struct subject *subject);
void conditions_free(struct conditions *conditions);

/* What holds at the beginning of the block on every path from the entry. Only conditions on fixed
 * values, so they hold for the thread forever. */
const struct condition_set *conditions_at(const struct subject *subject, uint32_t block);

/* Some path to the block does not contradict itself. */
bool conditions_reach(const struct subject *subject, uint32_t block);

/* False if control never passes from block `from` to its successor `succ`. */
bool conditions_take(const struct subject *subject, uint32_t from, uint32_t succ);

/* Adds to *set what holds when control passes from block `from` to `succ`. False if that
 * contradicts the set: no thread with the set takes the edge. */
bool conditions_on_edge(const struct subject *subject, uint32_t from, uint32_t succ,
                        struct condition_set *set);

/* The conditions of the instruction: those of its block, and its guard. */
struct condition_set conditions_of(const struct subject *subject, uint32_t instr);

/* False if conditions_of the instruction may be other conditions than conditions_at its block. */
bool conditions_are_of_block(const struct subject *subject, uint32_t instr);

/* Whether the predicate is true, given the set. */
enum truth condition_truth(const struct subject *subject, const struct condition_set *set,
                           struct value predicate);

/* Adds that the predicate is true (holds) or false, and what follows from that. False if that
 * contradicts the set. */
bool condition_add(const struct subject *subject, struct condition_set *set, struct value predicate,
                   bool holds);

/* Removes the conditions on values that may change. */
void conditions_keep_fixed(const struct subject *subject, struct condition_set *set);

/* Both sets are equal, including their order. */
bool conditions_same(const struct condition_set *a, const struct condition_set *b);

/* No thread can meet both sets. */
bool conditions_exclude(const struct subject *subject, const struct condition_set *a,
                        const struct condition_set *b);

/* No warp can meet both sets, because of values that all its lanes share. So a warp that meets one
 * of them has another role than a warp that meets the other. */
bool conditions_other_warp(const struct subject *subject, const struct condition_set *a,
                           const struct condition_set *b);

/* No thread can meet both sets, because of its number. */
bool conditions_other_thread(const struct subject *subject, const struct condition_set *a,
                             const struct condition_set *b);

/* At most one lane of each warp can meet the set: under elect.sync, or a test for one lane or
 * thread. */
bool conditions_one_lane(const struct subject *subject, const struct condition_set *set);

#endif
