/* Suggests names for misspelt ones. */
#ifndef PTXOPT_CLI_NEAREST_H
#define PTXOPT_CLI_NEAREST_H

#include <stddef.h>

/* The nearest of the names that were tried. */
struct nearest {
    const char *wanted;
    const char *best; /* NULL: none is near */
    size_t distance;
};

struct nearest nearest_to(const char *wanted);

/* Compares one more name, which is borrowed. */
void nearest_try(struct nearest *nearest, const char *name);

#endif
