/* What is known along a path, as a number: equal sets of conditions have the same one, and each
 * step from one to the next is worked out once in a function, however many walks take it. */
#ifndef PTXOPT_LINT_PATH_CONDITION_H
#define PTXOPT_LINT_PATH_CONDITION_H

#include "lint/lint.h"
#include "value/conditions.h"

struct path_conditions;

/* One path's. */
struct path_condition {
    uint32_t set; /* its number */
    bool lost;    /* not all that was known could be kept */
};

/* Of a function; in lint->arena but for what path_conditions_free frees. */
struct path_conditions *path_conditions_build(struct lint *lint);
void path_conditions_free(struct path_conditions *conditions);

/* The instruction writes a register that a guard depends on and that may change. */
bool path_condition_changes(const struct lint *lint, uint32_t instr);

struct path_condition path_condition_of(const struct lint *lint, const struct condition_set *set);
struct condition_set path_condition_set(const struct lint *lint, struct path_condition condition);

/* What holds at the beginning of the block on every path. */
struct path_condition path_condition_of_block(const struct lint *lint, uint32_t block);

/* What is known at an instruction: of fixed values always, and of others by the branches on the
 * only way to its block. */
struct path_condition path_condition_at(const struct lint *lint, uint32_t instr);

/* Runs the instruction: what it writes is another value from here on. */
void path_condition_run(const struct lint *lint, struct path_condition *condition, uint32_t instr);

/* Along cfg->succs[edge] of block. False when that contradicts what is known. */
bool path_condition_follow(const struct lint *lint, struct path_condition *condition,
                           uint32_t block, uint32_t edge);

/* Whether the guard of the instruction holds. */
enum truth path_condition_guard(const struct lint *lint, struct path_condition condition,
                                uint32_t instr);

/* From here on it holds, or not. False when that contradicts what is known. */
bool path_condition_assume(const struct lint *lint, struct path_condition *condition,
                           uint32_t instr, bool holds);

/* Forgets what may change. */
void path_condition_keep_fixed(const struct lint *lint, struct path_condition *condition);

#endif
