/* Checks that on every path an equal or wider fence.proxy.async that stays replaces each deleted
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
    uint32_t deleted;            /* spellings, a bit each; without any there is nothing to ask */
    bool too_many;               /* one has no bit */
    uint32_t spelling, observer; /* of the refusal: of which fence, and who needs it */
};

void proxy_prepare(struct proxy *proxy, const struct program *program);

static inline bool proxy_is_asked(const struct proxy *proxy)
{
    return proxy->deleted || proxy->too_many;
}

/* Refuses what needs a deleted fence before one that stays has done the same. */
struct flow proxy_flow(struct proxy *proxy);

/* The fence behind the refusal, as far as can be told: the nearest deleted one of that spelling in
 * front of the observer, else the first. */
uint32_t proxy_culprit(const struct proxy *proxy);

#endif
