/* How far the work is, on a terminal. */
#ifndef PTXOPT_CLI_PROGRESS_H
#define PTXOPT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/tool.h"

/* So many files, which hold so many bytes; of a pipe the bytes are not known, and 0. */
struct amount {
    size_t files, bytes;
};

struct progress {
    bool wanted, shown;
    struct amount total;
    uint64_t start_ns;
    double drawn; /* seconds after the start */
};

/* Nothing is shown unless it is wanted, before a second has passed, or where standard error is no
 * terminal. */
struct progress progress_begin(bool wanted, struct amount total);

/* Draws the bar when it is time; done of the total are finished, and the programs on the clock are
 * what the first of the rest waits for. */
void progress_draw(struct progress *progress, struct amount done, const struct tool_clock *clock);

/* Takes the bar away, before a message and at the end. */
void progress_clear(struct progress *progress);

#endif
