/* The code of a function before and after, side by side. */
#ifndef PTXOPT_REPORT_SIDE_BY_SIDE_H
#define PTXOPT_REPORT_SIDE_BY_SIDE_H

#include "report/lines.h"
#include "report/machine.h"

#define NO_WORD UINT32_MAX

/* A word before, a word after, or both, by number from 0. */
struct side_row {
    uint32_t before, after; /* NO_WORD: there is none on that side */
};

/* Zero-initialised by the caller. */
struct side_by_side {
    struct VEC(struct side_row) rows; /* each word occurs once; the words of a side are in order */
    /* By number of a word: its partner on the other side, at whatever place; NO_WORD: none. */
    uint32_t *other_of_before, *other_of_after;
    uint32_t *row_of_before;
};

/* Matches the words of both codes. Words with the same line and opcode match in their order,
 * because ptxas chooses registers and order anew. map: of the two texts. */
void side_by_side_build(struct side_by_side *sides, const struct machine_code *before,
                        const struct machine_code *after, const struct line_map *map);
void side_by_side_free(struct side_by_side *sides);

#endif
