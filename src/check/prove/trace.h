/* A shortest path, in blocks, through the graph to a refusal that is known to exist. trace_fact.h
 * and trace_register.h find it. */
#ifndef PTXOPT_CHECK_PROVE_TRACE_H
#define PTXOPT_CHECK_PROVE_TRACE_H

#include "base/vec.h"

/* Blocks from that of the source to that of the observer. Free it with vec_free. */
struct trace_path VEC(uint32_t);

/* Reverses a path, which the search finds from the observer on. */
static inline void trace_turn(struct trace_path *path)
{
    for (uint32_t i = 0, j = path->count - 1; i < j; i++, j--) {
        uint32_t swap = path->at[i];
        path->at[i] = path->at[j];
        path->at[j] = swap;
    }
}

#endif
