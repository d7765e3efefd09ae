/* Checks that on every path an equal or wider kept fence.proxy.async replaces each removed
 * one. */
#ifndef PTXOPT_CHECK_MODEL_PROXY_H
#define PTXOPT_CHECK_MODEL_PROXY_H

#include "check/model/flow.h"
#include "check/model/program.h"

enum { PROXY_STATES = 4, PROXY_SPELLINGS = 64 / PROXY_STATES };

/* What may hold at a place is a set of states for each spelling, PROXY_STATES bits of one word
 * (proxy.c). */
struct proxy {
    const struct program *program;
    uint32_t deleted;            /* spellings, a bit each; without any there is no question */
    bool too_many;               /* one has no bit */
    uint32_t spelling, observer; /* of the refusal: the spelling of the fence, and what needs it */
};

void proxy_prepare(struct proxy *proxy, const struct program *program);

static inline bool proxy_is_asked(const struct proxy *proxy)
{
    return proxy->deleted || proxy->too_many;
}

/* Refuses what needs a removed fence before a kept one has done the same. */
struct flow proxy_flow(struct proxy *proxy);

/* The fence of the refusal, as far as is known: the nearest removed one of that spelling in
 * front of the observer, else the first. */
uint32_t proxy_culprit(const struct proxy *proxy);

#endif
