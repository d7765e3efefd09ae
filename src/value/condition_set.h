/* A set of conditions on predicates that hold together. */
#ifndef PTXOPT_VALUE_CONDITION_SET_H
#define PTXOPT_VALUE_CONDITION_SET_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct condition {
    uint32_t holds : 1;
    uint32_t base : 31; /* of the value of a predicate, without its offset */
};

static inline struct condition condition_of(uint32_t base, bool holds)
{
    return (struct condition){.holds = holds, .base = base & (UINT32_MAX >> 1)};
}

/* A number that no other condition has. */
static inline uint32_t condition_code(struct condition c)
{
    uint32_t code;
    memcpy(&code, &c, sizeof code);
    return code;
}

enum { CONDITIONS_MAX = 24 };

/* Conditions that hold together. */
struct condition_set {
    uint32_t count;
    bool lost; /* there were more conditions than CONDITIONS_MAX */
    struct condition at[CONDITIONS_MAX];
};

#endif
