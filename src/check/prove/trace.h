/* A way through the graph, as trace_fact.h and trace_register.h find it: a shortest one, in blocks,
 * to a refusal that is known to exist. */
#ifndef PTXOPT_CHECK_PROVE_TRACE_H
#define PTXOPT_CHECK_PROVE_TRACE_H

#include "base/vec.h"

/* Blocks, from the source's to the observer's; vec_free. */
struct trace_path VEC(uint32_t);

/* Found from the observer on: turns it round. */
static inline void trace_turn(struct trace_path *path)
{
    for (uint32_t i = 0, j = path->count - 1; i < j; i++, j--) {
        uint32_t swap = path->at[i];
        path->at[i] = path->at[j];
        path->at[j] = swap;
    }
}

#endif
