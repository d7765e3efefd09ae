/* The calls that calls.c lets fail. */
#ifndef PTXOPT_TESTS_CALLS_H
#define PTXOPT_TESTS_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/ptxopt.h"

struct subject {
    const char *name;
    /* Makes the call and frees its result. digest is that of the whole result. Prints a comment,
     * and returns an invalid status, if the result does not agree with the status. */
    enum ptxopt_status (*call)(const struct subject *subject, size_t max_memory,
                               bool (*cancelled)(void *context), uint64_t *digest);
    const void *what;          /* for call */
    enum ptxopt_status status; /* if nothing fails */
    bool has_limits, asks_checker;
};

/* The calls, until calls_end. */
const struct subject *calls_begin(void);
size_t calls_count(void);
void calls_end(void);

#endif
