/* Candidates of one kind, and the verdict of a rule on each. */
#ifndef PTXOPT_ENGINE_GROUP_H
#define PTXOPT_ENGINE_GROUP_H

#include "base/vec.h"
#include "order/verdict.h"

/* Sites by their numbers. Zero-initialise. */
struct group {
    struct VEC(uint32_t) sites;
    struct VEC(struct verdict) verdicts;
};

void group_free(struct group *group);

/* Keeps the sites with a verdict of removal, and the first spared of the others. */
void group_filter(struct group *group, uint32_t spared);

uint32_t group_count_declined(const struct group *group);

#endif
