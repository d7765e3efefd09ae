/* Shows the progress of the run on a terminal. */
#ifndef PTXOPT_CLI_PROGRESS_H
#define PTXOPT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/tool.h"

/* A number of files and their size in bytes; 0 bytes if it is not known, as for a pipe. */
struct amount {
    size_t files, bytes;
};

struct progress {
    bool wanted, shown;
    struct amount total;
    uint64_t start_ns;
    double drawn; /* seconds after the start */
};

/* Nothing is shown if it is not wanted, in the first second, or if standard error is not a
 * terminal. */
struct progress progress_begin(bool wanted, struct amount total);

/* Whether it is time to draw the line. */
bool progress_is_due(const struct progress *progress);

/* Draws the line. done: what has been finished; its bytes can include parts of files. clock: of the
 * program that runs for the first file that is not finished. */
void progress_draw(struct progress *progress, struct amount done, const struct tool_clock *clock);

/* Clears the line, before a message and at the end. */
void progress_clear(struct progress *progress);

#endif
