/* Suggestions for misspelt names. */
#ifndef PTXOPT_CLI_NEAREST_H
#define PTXOPT_CLI_NEAREST_H

#include <stddef.h>

/* Keeps the nearest of the names it is shown. */
struct nearest {
    const char *wanted;
    const char *best; /* NULL while none is near */
    size_t distance;
};

struct nearest nearest_to(const char *wanted);

/* Shows it one name (borrowed). */
void nearest_try(struct nearest *nearest, const char *name);

#endif
