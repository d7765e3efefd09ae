/* The code of a function before and after, side by side. */
#ifndef PTXOPT_REPORT_SIDE_BY_SIDE_H
#define PTXOPT_REPORT_SIDE_BY_SIDE_H

#include "report/lines.h"
#include "report/machine.h"

#define NO_WORD UINT32_MAX

/* A word before, one after, or both, by their numbers from 0. */
struct side_row {
    uint32_t before, after; /* NO_WORD: none on that side */
};

/* Zero-initialise. */
struct side_by_side {
    struct VEC(struct side_row) rows; /* each word occurs once, those of a side in order */
    /* By the number of a word: the word that it is on the other side, wherever that is;
     * NO_WORD: none. */
    uint32_t *other_of_before, *other_of_after;
    uint32_t *row_of_before;
};

/* What is of the same line and opcode is the same, the first one with the first one and so on, as
 * registers and order are chosen again by ptxas. map: of the two texts. */
void side_by_side_build(struct side_by_side *sides, const struct machine_code *before,
                        const struct machine_code *after, const struct line_map *map);
void side_by_side_free(struct side_by_side *sides);

#endif
