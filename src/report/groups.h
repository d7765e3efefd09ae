/* Groups copies that unrolling made. Formats for people show items of one kernel as one item if
 * they are the same instruction of the same CUDA line, reached through the same calls. */
#ifndef PTXOPT_REPORT_GROUPS_H
#define PTXOPT_REPORT_GROUPS_H

#include "report/model.h"

/* At least two copies in the order of their places: candidates, or findings with one code. */
struct review_group {
    const struct review_item **items;
    uint32_t count, redundant;        /* redundant: how many of them are removed */
    const struct review_item *leader; /* shown in full: the first removed one, or the first one */
    const struct review_item *last;   /* the only one that is needed, because it covers all others;
                                         NULL: there is no such copy */
};

/* Sets the group of each item of file. An item without a CUDA line has no group. The list of items
 * must not grow afterwards, because groups point into it. */
void groups_build(struct review_file *file);

/* Formats for people show the item: it has no group, or leads its group. */
bool groups_lead(const struct review_item *item);

/* Appends what the author can do if only the last copy is needed; otherwise nothing. */
void groups_advice(struct buf *out, const struct review_group *group);

/* Appends a line for a copy, such as "PTX line 289: redundant (wait-covered, PTX line 1027), id
 * d41d8cd98f00". verb: the word for an instruction that is removed, "removed" if the output is
 * written, otherwise "redundant". */
void groups_site(struct buf *out, const struct review_item *copy, const char *verb);

#endif
