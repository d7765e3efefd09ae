/* The operations of other threads that need an mma, cp or shift to be complete. */
#ifndef PTXOPT_LINT_COMPLETION_READERS_H
#define PTXOPT_LINT_COMPLETION_READERS_H

#include "lint/handover.h"

enum { COMPLETION_READERS = 64 };

/* Sets readers to those that conflict with op, one in a block, in the order of the text, and
 * returns their number. If there are too many, the first ones behind op in the text. likely: also
 * those that most likely conflict. */
uint32_t completion_readers_find(const struct lint *lint, const struct tensor_op *op, bool likely,
                                 const struct tensor_op *readers[COMPLETION_READERS]);

#endif
