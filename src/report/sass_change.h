/* Finds what each removal changed in the machine code. */
#ifndef PTXOPT_REPORT_SASS_CHANGE_H
#define PTXOPT_REPORT_SASS_CHANGE_H

#include "api/ptxopt.h"
#include "report/machine.h"

/* An instruction before, after, or both. Offsets are in bytes into the function's code; the text of
 * a side without it is NULL. */
struct sass_row {
    /* ' ' on both sides; '-' it was removed; '+' it is new; '~' it is elsewhere on the other side;
     * '.' is for rows that are left out, and has no text */
    char op;
    uint32_t before, after;
    const char *before_text, *after_text;
};

/* The places around one removal; rows are of the first one, and none where no disassembler gives
 * the text of the words. */
struct sass_change {
    const char *says; /* what was removed, what no longer waits; "": not requested, or not known */
    struct VEC(struct sass_row) rows;
};

/* By the findings of a result: at[i] is of its i-th. Zero-initialise. */
struct sass_changes {
    struct machine before, after; /* they own the texts of the rows */
    const char *problem;          /* why nothing is known, static or a compiled text's; else NULL */
    char *no_texts;               /* why there are no rows, and what to do; NULL when there are */
    struct sass_change *at;
    size_t count;
};

/* Of the compiled texts of the result's input and of its text, which are made only where something
 * was removed. */
void sass_changes_find(struct sass_changes *changes, struct compiled *before,
                       struct compiled *after, const struct ptxopt_result *result);
void sass_changes_free(struct sass_changes *changes);

/* A copy with its texts in arena; rows for vec_free. */
struct sass_change sass_change_copy(struct arena *arena, const struct sass_change *change);

/* Appends the rows in two columns for people, a line each; nothing without rows. */
void sass_change_columns(struct buf *out, const struct sass_change *change);

#endif
