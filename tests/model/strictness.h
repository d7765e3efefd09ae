/* Sites that the rules keep in the examples although they are not needed. Each has the rule that
 * came nearest, its reason word, and the cause of the strictness. tests/model/precision.c compares
 * the list with the examples: a site that is not listed and that the checker lets be removed is a
 * failure. */
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

/* The row of a site, STRICTNESS_COUNT if there is none. */
static inline uint32_t strictness_of(const char *path, uint32_t line)
{
    uint32_t i = 0;
    while (i < STRICTNESS_COUNT && (strictness[i].line != line || strcmp(strictness[i].path, path)))
        i++;
    return i;
}

#endif
