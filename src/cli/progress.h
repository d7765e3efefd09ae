/* How far the work is, on a terminal. */
#ifndef PTXOPT_CLI_PROGRESS_H
#define PTXOPT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    bool wanted, shown;
    size_t total;
    uint64_t start_ns;
    double drawn; /* seconds after the start */
};

/* Nothing is shown before a second has passed, or where standard error is no terminal. */
struct progress progress_begin(size_t total);

/* Draws the bar when it is time; done of the total are finished. */
void progress_draw(struct progress *progress, size_t done);

/* Takes the bar away, before a message and at the end. */
void progress_clear(struct progress *progress);

#endif
