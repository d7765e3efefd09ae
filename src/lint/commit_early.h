/* Finds commits in the middle of a group of mma or of cp: the thread issues one more operation of
 * the group after the commit and before it waits for anything. A thread that waits for the commit
 * meets that operation in flight. */
#ifndef PTXOPT_LINT_COMMIT_EARLY_H
#define PTXOPT_LINT_COMMIT_EARLY_H

#include "lint/lint.h"

/* Reports as findings of code, completion-untracked, the mma after a commit to the same accumulator
 * as one before it, if a thread loads the accumulator after a wait for the commit. */
void commit_early_of_result(struct lint *lint, const struct lint_code *code);

/* Reports as findings of code, released-before-read, commits that release a stage of shared memory
 * that an mma or cp after the commit reads too. */
void commit_early_of_stage(struct lint *lint, const struct lint_code *code);

#endif
