/* Candidates of one kind, with the verdict of one rule on each. */
#ifndef PTXOPT_ENGINE_GROUP_H
#define PTXOPT_ENGINE_GROUP_H

#include "base/vec.h"
#include "order/verdict.h"

/* sites: numbers of candidates; verdicts: of each of them, in the same order. Zero-initialise a
 * group; free it with group_free. */
struct group {
    struct VEC(uint32_t) sites;
    struct VEC(struct verdict) verdicts;
};

void group_free(struct group *group);

/* Removes the sites that were declined from the group, except the first `spared` of them. */
void group_filter(struct group *group, uint32_t spared);

uint32_t group_count_declined(const struct group *group);

#endif
