/* A set of conditions on predicates that hold together. */
#ifndef PTXOPT_VALUE_CONDITION_SET_H
#define PTXOPT_VALUE_CONDITION_SET_H

#include <stdbool.h>
#include <stdint.h>

struct condition {
    uint32_t base; /* of the value of a predicate, without its offset */
    bool holds;
};

enum { CONDITIONS_MAX = 24 };

/* Conditions that hold together. */
struct condition_set {
    uint32_t count;
    bool lost; /* there were more conditions than CONDITIONS_MAX */
    struct condition at[CONDITIONS_MAX];
};

#endif
