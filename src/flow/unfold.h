/* A function as if its branches that agree were one: each block as often as something else is known
 * there. A path on which two branches by the same disagree is no path of it. */
#ifndef PTXOPT_FLOW_UNFOLD_H
#define PTXOPT_FLOW_UNFOLD_H

#include "flow/agree.h"

/* Copies of a block follow each other, in the order of the blocks. */
struct unfold {
    struct function function; /* what orders anything, or touches a requested register */
    struct cfg cfg;
    uint32_t *origin;     /* by instruction: that of the function it was made from */
    uint32_t *rank;       /* by instruction of that: its place in each copy of its block */
    uint32_t *first_copy; /* by block of that, and one more: into the blocks of cfg */
};

/* False when nothing is won, or when there would be too many blocks. In arena; borrows from both.
 */
bool unfold_build(struct unfold *unfold, const struct cfg *cfg, const struct agree *agree,
                  struct arena *arena);

#endif
