/* One line for an item, in the same words in every format. */
#ifndef PTXOPT_REPORT_BRIEF_H
#define PTXOPT_REPORT_BRIEF_H

#include "report/model.h"

/* Appends "15 of 16 wait::ld redundant: the last one covers them [wait-covered]": what the item is
 * and why, and of a group what is true of all of its copies. verb: the word for a removal,
 * "redundant" or "removed". At most 120 bytes; a message about the input, or about a
 * function that was skipped, is shown whole. */
void brief_line(struct buf *out, const struct review_item *item, const char *verb);

/* The same of that item alone, though it may have copies, and without the code in brackets. */
void brief_single(struct buf *out, const struct review_item *item, const char *verb);

#endif
