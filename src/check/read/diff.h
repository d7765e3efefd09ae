/* Is AFTER exactly BEFORE less whole synchronising statements? */
#ifndef PTXOPT_CHECK_READ_DIFF_H
#define PTXOPT_CHECK_READ_DIFF_H

#include "check/read/outline.h"

/* The first difference that no deletion explains. */
struct diff_fault {
    uint32_t before, after; /* offsets */
    const char *what;       /* static text */
};

/* Marks the deleted sites of BEFORE's outline. A deletion may leave nothing, blanks or one
 * comment in its place, and may take with it a line that it emptied; every other byte must be
 * the same. False, and the fault, when that does not explain AFTER. */
bool diff_align(struct str before, struct str after, struct outline *outline,
                struct diff_fault *fault);

#endif
