/* How far the work is, on a terminal. */
#ifndef PTXOPT_CLI_PROGRESS_H
#define PTXOPT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Draws the bar when it is time; done of the total are finished. */
void progress_draw(struct progress *progress, struct amount done);

/* Takes the bar away, before a message and at the end. */
void progress_clear(struct progress *progress);

#endif
