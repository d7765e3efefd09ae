/* Checks that on every path an equal or wider kept fence.proxy.async replaces each removed
 * one. */
#ifndef PTXOPT_CHECK_MODEL_PROXY_H
#define PTXOPT_CHECK_MODEL_PROXY_H

#include "check/model/flow.h"
#include "check/model/program.h"

enum { PROXY_STATES = 4, PROXY_SPELLINGS = 64 / PROXY_STATES };

/* What may hold at a place is a set of states for each spelling of a proxy fence, PROXY_STATES bits
 * of one word (proxy.c). */
struct proxy {
    const struct program *program;
    uint32_t deleted;            /* 1 << number of each removed spelling; 0: nothing to solve */
    bool too_many;               /* a spelling has no bit */
    uint32_t spelling, observer; /* of the refusal: the spelling of the fence, and what needs it */
};

void proxy_prepare(struct proxy *proxy, const struct program *program);

static inline bool proxy_is_asked(const struct proxy *proxy)
{
    return proxy->deleted || proxy->too_many;
}

/* Returns the flow that refuses an instruction that needs a removed fence before a kept one
 * replaces it. */
struct flow proxy_flow(struct proxy *proxy);

/* Returns the removed fence that the refusal is about, as far as it is known: the last one of the
 * spelling before the observer in the text, otherwise the first one. */
uint32_t proxy_culprit(const struct proxy *proxy);

#endif
