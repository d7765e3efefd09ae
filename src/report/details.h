/* The details below the line of an item, for people at a terminal. */
#ifndef PTXOPT_REPORT_DETAILS_H
#define PTXOPT_REPORT_DETAILS_H

#include "report/model.h"

/* Appends, indented: the argument, the code around the item, the lines on which the proof depends,
 * the section of the ISA, the assumptions, the id, and the copies. verb: as for
 * groups_site. color: with escape sequences of a terminal. */
void details_add(struct buf *out, const struct review_item *item, const char *verb, bool color);

#endif
