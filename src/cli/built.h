/* Compiles a file before and after the edits, once for all that use the result. */
#ifndef PTXOPT_CLI_BUILT_H
#define PTXOPT_CLI_BUILT_H

#include "cli/choose.h"
#include "cli/command.h"
#include "report/measure.h"
#include "report/sass_change.h"
#include "report/text.h"
#include "report/witness.h"

struct built {
    const struct command *command;
    const char *name;
    const struct ptxopt_result *result;
    struct choice *choice; /* if made, the edits were chosen by their cost */
    struct tool_clock *clock;
    bool at_once; /* ptxas may compile both texts in parallel */
    struct compiled before, after;
    struct witnesses witnesses;  /* of the hazards, with --sass; otherwise empty */
    struct sass_changes changes; /* of the removals, with --sass; otherwise empty */
};

/* Begins with a *built whose first fields, up to at_once, the caller has set; they are borrowed.
 * input: the input of the result. Finds the witnesses, and adds to messages why they are not known,
 * or why not all edits could be tried. Uses what the choice has already compiled. */
void built_begin(struct built *built, const struct buf *input, struct buf *messages);

/* The witnesses, or NULL if they are not known. */
const struct witnesses *built_witnesses(const struct built *built);

/* Called after the output has been written. Finds the effects of the removals, and adds the
 * requested data to messages: the changed machine code, unless a report has it, and the statistics.
 * *figures, which must be zero, gets the figures for a report; false: there are none. */
bool built_tell(struct built *built, struct measure_pair *figures, struct buf *messages);

/* Adds the data of --sass and the costs of edits to the file of a report, which must have been
 * built from the result. */
void built_add(const struct built *built, struct review_file *file);

void built_end(struct built *built);

#endif
