/* Chooses the edits of a text that fit within the limits, by what ptxas reports of them. */
#ifndef PTXOPT_CLI_CHOOSE_H
#define PTXOPT_CLI_CHOOSE_H

#include "base/arena.h"
#include "cli/command.h"
#include "report/measure.h"

/* An edit that is not made, or of which the cost is known by itself. */
struct choice_edit {
    const char *id, *why;     /* why: of one that is not made, finishes "kept because"; else "" */
    struct measure_cost cost; /* with the edits chosen before it; an id of NULL: it was never tried
                                 alone, or no single kernel has it */
};

/* Zero-initialise. */
struct choice {
    struct arena arena;  /* of its strings */
    bool made;           /* the text was looked at */
    const char *problem; /* why not all could be tried; NULL: they were */
    uint32_t untried;    /* edits that are left out for it */
    struct compiled before;
    struct measure_pair figures; /* as it came, and with the edits that fit */
    struct VEC(struct choice_edit) edits;
};

/* Chooses among the edits that command->options allow. Borrows input until choice_free.
 *
 * Of each kernel edits are added: all that are left, and where that is beyond a limit the first
 * half of them, down to a single one, which is left out; then as many together as will likely fit,
 * by how many were left out so far. They are added in the order of the estimate of live registers,
 * least first, and in order of place where there is none. Edits of one rule and function with the
 * same estimate are alike: where one does not fit, those after it are left out, too. So each
 * edit that is left out, or one like it, was tried beside those that were chosen before it, and did
 * not fit; another choice may hold more. Kernels are searched side by side: a run of ptxas compiles
 * one set of each that is still open. What ptxas compiles is always an output of the library, so a
 * set holds only what is proven together, and a set is never compiled twice. Which edits fit
 * depends only on the text, the options and ptxas, unless the time on clock is up first: what was
 * not tried until then is left out. */
void choose_edits(struct choice *choice, const struct command *command, const char *name,
                  const struct buf *input, struct tool_clock *clock);

/* Has the options leave out what was not chosen. */
void choose_apply(const struct choice *choice, struct ptxopt_options *options);

void choose_free(struct choice *choice);

#endif
