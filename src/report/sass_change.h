/* Finds what each removal changed in the machine code. */
#ifndef PTXOPT_REPORT_SASS_CHANGE_H
#define PTXOPT_REPORT_SASS_CHANGE_H

#include "api/ptxopt.h"
#include "report/machine.h"

/* An instruction before, after, or both. Offsets are in bytes from the start of the function's
 * code. The text is NULL on a side without the instruction. */
struct sass_row {
    /* ' ' on both sides; '-' only before; '+' only after; '~' at another place on the other side;
     * '.' for rows that are left out, without a text */
    char op;
    uint32_t before, after;
    const char *before_text, *after_text;
};

/* The machine code around one removal. If there are several places, the rows are of the first.
 * There are no rows if no disassembler gives the text of the words. */
struct sass_change {
    const char *says; /* what disappeared, what no longer waits; "": not requested, or not known */
    struct VEC(struct sass_row) rows;
};

/* By finding of a result: at[i] belongs to its i-th finding. Zero-initialised by the caller. */
struct sass_changes {
    struct machine before, after; /* own the texts of the rows */
    const char *problem; /* why nothing is known, static or of a compiled text; NULL: it is known */
    char *no_texts;      /* why there are no rows, and what to do; NULL: there are rows */
    struct sass_change *at;
    size_t count;
};

/* Compares the machine code of the result's input (before) and output (after). These are compiled
 * only if something was removed. */
void sass_changes_find(struct sass_changes *changes, struct compiled *before,
                       struct compiled *after, const struct ptxopt_result *result);
void sass_changes_free(struct sass_changes *changes);

/* A copy whose texts are in arena. The caller frees its rows with vec_free. */
struct sass_change sass_change_copy(struct arena *arena, const struct sass_change *change);

/* Appends the rows in two columns for people, one line each. Appends nothing if there are no
 * rows. */
void sass_change_columns(struct buf *out, const struct sass_change *change);

#endif
