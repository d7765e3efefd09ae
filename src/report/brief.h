/* One line for an item, in the same words in every format. */
#ifndef PTXOPT_REPORT_BRIEF_H
#define PTXOPT_REPORT_BRIEF_H

#include "report/model.h"

/* Appends "15 of 16 wait::ld redundant: the last one covers them [wait-covered]": what the item is
 * and why. For a group, the text holds for all its copies. verb: the word for a removal,
 * "redundant" or "removed". At most 120 bytes, except a message about the input or about a skipped
 * function, which is shown whole. */
void brief_line(struct buf *out, const struct review_item *item, const char *verb);

/* The same for this item alone, even if it has copies, and without the code in brackets. */
void brief_single(struct buf *out, const struct review_item *item, const char *verb);

#endif
