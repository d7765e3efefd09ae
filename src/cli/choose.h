/* Chooses the edits of a text that are within the limits, by the figures of ptxas. */
#ifndef PTXOPT_CLI_CHOOSE_H
#define PTXOPT_CLI_CHOOSE_H

#include "base/arena.h"
#include "cli/command.h"
#include "report/measure.h"

/* An edit that is not made, or whose cost alone is known. */
struct choice_edit {
    const char *id, *why;     /* why: completes "kept because" if it is not made; otherwise "" */
    struct measure_cost cost; /* on top of the edits chosen before it; its id is NULL if it was
                                 never tried alone or belongs to no single kernel */
};

/* Zero-initialised by the caller. */
struct choice {
    struct arena arena;  /* for its strings */
    bool made;           /* the text was examined */
    const char *problem; /* why not all edits could be tried; NULL: all were */
    uint32_t untried;    /* number of edits left out for that reason */
    struct compiled before;
    struct measure_pair figures; /* without edits, and with the edits that fit */
    struct VEC(struct choice_edit) edits;
};

/* Chooses among the edits that command->options allow. Borrows input until choice_free.
 *
 * For each kernel, edits are added step by step: first all that are left; if that exceeds a limit,
 * the first half of them, and so on down to a single edit, which is then left out; afterwards as
 * many together as will most likely fit, by the number left out so far. They are added in the order
 * of the estimate of live registers, lowest first, or in the order of their places if there is no
 * estimate. Edits of the same rule and function with the same estimate are alike: if one does not
 * fit, the following ones are left out too. So each edit that is left out, or one like it, was
 * tried together with the edits chosen before it and did not fit. Another choice may contain more
 * edits.
 *
 * Kernels are searched in parallel: each run of ptxas compiles one set of each kernel that is not
 * decided. ptxas only compiles outputs of the library, so a set contains only edits that are proven
 * together. No set is compiled twice. The choice depends only on the text, the options and ptxas,
 * unless the time on clock is up: edits that were not tried by then are left out. */
void choose_edits(struct choice *choice, const struct command *command, const char *name,
                  const struct buf *input, struct tool_clock *clock);

/* Makes options leave out the edits that were not chosen. */
void choose_apply(const struct choice *choice, struct ptxopt_options *options);

void choose_free(struct choice *choice);

#endif
