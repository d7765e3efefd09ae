/* The operations of other threads that need an mma, cp or shift to be complete. */
#ifndef PTXOPT_LINT_COMPLETION_READERS_H
#define PTXOPT_LINT_COMPLETION_READERS_H

#include "lint/handover.h"

enum { COMPLETION_READERS = 64 };

/* What is known of the readers of operations, in lint->arena, except what completion_lists_free
 * frees. */
struct completion_lists;
struct completion_lists *completion_lists_new(const struct lint *lint);
void completion_lists_free(struct completion_lists *lists);

/* Sets readers to those that conflict with op, one in a block, in the order of the text, and
 * returns their number. If there are too many, the first ones behind op in the text, or behind a
 * wait for its commit that comes right before one of them. likely: also those that most likely
 * conflict. They are listed once for all operations on the same columns that the same threads
 * execute. */
uint32_t completion_readers_find(const struct lint *lint, struct completion_lists *lists,
                                 const struct tensor_op *op, bool likely,
                                 const struct tensor_op *readers[COMPLETION_READERS]);

#endif
