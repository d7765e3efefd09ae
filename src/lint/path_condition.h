/* Numbers for the sets of conditions that are known on a path: equal sets have the same number, and
 * each step from one set to the next is computed once for a function, however many walks take it.
 */
#ifndef PTXOPT_LINT_PATH_CONDITION_H
#define PTXOPT_LINT_PATH_CONDITION_H

#include "lint/lint.h"
#include "value/conditions.h"

struct path_conditions;

/* The conditions that are known on one path. */
struct path_condition {
    uint32_t set; /* its number */
    bool lost;    /* a condition was dropped because the set was full */
};

/* Instructions that do not only compute, that branch, or that change what is known on a path. */
struct path_stops {
    uint32_t *at;    /* in the order of the text */
    uint32_t *first; /* by block, with one more at the end: index into at */
    bool *changes;   /* by instruction: see path_condition_changes */
};

/* Sets lint->conditions for one function. The data is in lint->arena, except the memory that
 * path_conditions_free frees. */
void path_conditions_build(struct lint *lint);
void path_conditions_free(struct path_conditions *conditions);

const struct path_stops *path_condition_stops(const struct lint *lint);

/* The instruction writes a register that may change and that a guard depends on. */
bool path_condition_changes(const struct lint *lint, uint32_t instr);

/* The block may write a register whose value decides a guard at the beginning of the block `later`
 * or after it. */
bool path_condition_tells(const struct lint *lint, uint32_t block, uint32_t later);

struct path_condition path_condition_of(const struct lint *lint, const struct condition_set *set);
struct condition_set path_condition_set(const struct lint *lint, struct path_condition condition);

/* A bit for each condition of the set with that number; several conditions share a bit. */
uint64_t path_condition_bits(const struct lint *lint, uint32_t set);

/* A bit for each register and each loaded value on which the value depends and that may change;
 * several share a bit. */
uint64_t path_condition_leaves(const struct lint *lint, struct value v);

/* Every condition of the set with the number `fewer` is in the set with the number `set`. */
bool path_condition_has(const struct lint *lint, uint32_t set, uint32_t fewer);

/* The conditions that hold at the beginning of the block on every path to it. */
struct path_condition path_condition_of_block(const struct lint *lint, uint32_t block);

/* The conditions that are known at an instruction: conditions on fixed values, and conditions on
 * other values from the branches on the only path to its block. */
struct path_condition path_condition_at(const struct lint *lint, uint32_t instr);

/* Executes the instruction: removes the conditions on registers that it writes, and adds conditions
 * on their new values if these are known. */
void path_condition_run(const struct lint *lint, struct path_condition *condition, uint32_t instr);

/* Follows the edge cfg->succs[edge] out of block and adds its conditions. False if they contradict
 * the known conditions. */
bool path_condition_follow(const struct lint *lint, struct path_condition *condition,
                           uint32_t block, uint32_t edge);

/* Continues at the block `join`, in which the sides of the branch at the end of block join. */
void path_condition_join(const struct lint *lint, struct path_condition *condition, uint32_t block,
                         uint32_t join);

/* The truth of the guard of the instruction; TRUTH_YES if it has none. */
enum truth path_condition_guard(const struct lint *lint, struct path_condition condition,
                                uint32_t instr);

/* Adds that the guard of the instruction is true (holds) or false. False if that contradicts the
 * known conditions. */
bool path_condition_assume(const struct lint *lint, struct path_condition *condition,
                           uint32_t instr, bool holds);

/* Removes the conditions on values that may change. */
void path_condition_keep_fixed(const struct lint *lint, struct path_condition *condition);

#endif
