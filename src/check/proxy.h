/* Does an equal or wider fence.proxy.async come before each deleted one, on every path, with
 * only register work between? */
#ifndef PTXOPT_CHECK_PROXY_H
#define PTXOPT_CHECK_PROXY_H

#include "check/program.h"

/* By block entry: the spellings that are not known to have run. */
struct proxy {
    uint64_t *missing;
    bool *reached;
    bool used; /* a proxy fence was deleted; else nothing is allocated */
};

/* False when there are too many spellings. Release with proxy_free. */
bool proxy_prepare(struct proxy *proxy, const struct program *program);
void proxy_free(struct proxy *proxy);

/* Fills the sets; false, and the deleted fence, when nothing covers it. */
bool proxy_solve(struct proxy *proxy, const struct program *program, uint32_t *fault);

/* One pass over the sets given. */
bool proxy_holds(const struct proxy *proxy, const struct program *program);

#endif
