/* Checks that AFTER is exactly BEFORE without some complete synchronising statements. */
#ifndef PTXOPT_CHECK_READ_DIFF_H
#define PTXOPT_CHECK_READ_DIFF_H

#include "check/read/statement.h"

/* The state of a comparison of two texts. */
struct diff {
    struct str before, after;
    uint32_t b, a; /* corresponding offsets in BEFORE and AFTER */
    uint32_t same; /* from b to this offset in BEFORE the texts are equal */
    /* The first difference that removals do not explain. */
    uint32_t fault_before, fault_after; /* offsets */
    const char *fault;                  /* static text */
};

void diff_begin(struct diff *diff, struct str before, struct str after);

/* Marks which of these sites are removed. sites: all sites of the next function in BEFORE that
 * differs; functions before diff->same may be left out. A removal may leave nothing, blanks or one
 * comment in its place, and may remove the line if it is then empty. All other bytes must be equal.
 * Returns false and sets the fault if this does not explain AFTER. */
bool diff_sites(struct diff *diff, struct statement_sites *sites);

/* Whether the texts are equal after the last site. Otherwise sets the fault. */
bool diff_end(struct diff *diff);

#endif
