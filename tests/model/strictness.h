/* What the rules keep in the examples though nobody would miss it: each with the rule that came
 * nearest, its reason word, and why it is as strict as that. tests/model/precision.c holds the list
 * and reality together; a site that is not here and that the checker lets go is a failure. */
#ifndef PTXOPT_TESTS_MODEL_STRICTNESS_H
#define PTXOPT_TESTS_MODEL_STRICTNESS_H

#include <stdint.h>
#include <string.h>

struct strictness {
    const char *path;
    uint32_t line;
    const char *statement, *rule, *reason;
};

/* The last row is a sentinel. */
static const struct strictness strictness[] = {
    {"", 0, "", "", ""},
};

enum { STRICTNESS_COUNT = sizeof strictness / sizeof *strictness };

/* The row of a site, STRICTNESS_COUNT when there is none. */
static inline uint32_t strictness_of(const char *path, uint32_t line)
{
    uint32_t i = 0;
    while (i < STRICTNESS_COUNT && (strictness[i].line != line || strcmp(strictness[i].path, path)))
        i++;
    return i;
}

#endif
