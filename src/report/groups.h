/* Groups the copies that unrolling made. Items of one kernel that are one instruction of one
 * line of the CUDA source, reached by the same calls, are shown as one by the formats for
 * people. */
#ifndef PTXOPT_REPORT_GROUPS_H
#define PTXOPT_REPORT_GROUPS_H

#include "report/model.h"

/* At least two copies, in order of place: candidates, or findings of one code. */
struct review_group {
    const struct review_item **items;
    uint32_t count, redundant;        /* redundant: how many of them are removed */
    const struct review_item *leader; /* is shown whole: the first removed one, or the first */
    const struct review_item *last;   /* needed alone, since it covers all others; NULL: not so */
};

/* Gives each item of file its group; one without a CUDA line has none. The list of items must not
 * grow afterwards. */
void groups_build(struct review_file *file);

/* Whether formats for people show the item: by itself, or for its group. */
bool groups_lead(const struct review_item *item);

/* Appends what the author may do where only the last copy is needed; else nothing. */
void groups_advice(struct buf *out, const struct review_group *group);

/* Appends "PTX line 289: redundant (wait-covered, line 1027), id d41d8cd98f00" for a copy. */
void groups_site(struct buf *out, const struct review_item *copy);

#endif
