/* Compiles a file before and after with ptxas, once for all users. */
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
    struct choice *choice; /* made: the edits were chosen by what they cost */
    struct tool_clock *clock;
    bool at_once; /* ptxas may run for both texts at once */
    struct compiled before, after;
    struct witnesses witnesses;  /* of what --lint found, and */
    struct sass_changes changes; /* of the removals: with --sass, else empty */
};

/* Begins a *built that has its first fields, to borrow, for the input of the result; determines
 * the witnesses, and says in messages why they are not known, or not all edits could be
 * tried. Takes from the choice what is known already. */
void built_begin(struct built *built, const struct buf *input, struct buf *messages);

/* The witnesses that are known, or NULL. */
const struct witnesses *built_witnesses(const struct built *built);

/* After the output is written: finds the effects of the removals, and adds the requested data to
 * messages: their places, unless a report has them, and the statistics. figures, zero before, gets
 * the measured figures for a report; false: there are none. */
bool built_tell(struct built *built, struct measure_pair *figures, struct buf *messages);

/* Adds what --sass says, and what edits cost, to the file of a report, which was built of the
 * result. */
void built_add(const struct built *built, struct review_file *file);

void built_end(struct built *built);

#endif
