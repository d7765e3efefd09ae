/* Checks that AFTER is exactly BEFORE less whole synchronising statements. */
#ifndef PTXOPT_CHECK_READ_DIFF_H
#define PTXOPT_CHECK_READ_DIFF_H

#include "check/read/statement.h"

/* How far the two texts are compared. */
struct diff {
    struct str before, after;
    uint32_t b, a; /* places in each that correspond */
    uint32_t same; /* from b on they are equal up to this place in BEFORE */
    /* The first difference that no removal explains. */
    uint32_t fault_before, fault_after; /* offsets */
    const char *fault;                  /* static text */
};

void diff_begin(struct diff *diff, struct str before, struct str after);

/* Marks which of these sites are removed: all of BEFORE's next function that differs; functions up
 * to diff->same may be left out. A removal may leave nothing, blanks or one comment in its place,
 * and may remove a line that it emptied; every other byte must be the same. False, and the
 * fault, when that does not explain AFTER. */
bool diff_sites(struct diff *diff, struct statement_sites *sites);

/* Whether what follows the last site is the same, too. */
bool diff_end(struct diff *diff);

#endif
