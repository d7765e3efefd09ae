/* Decides whether a proxy fence is between accesses of two proxies. For tests/sleeps. */
#ifndef PTXOPT_TESTS_SLEEPS_PROXIES_H
#define PTXOPT_TESTS_SLEEPS_PROXIES_H

#include "lint/lint.h"

/* The fence of shared memory at that instruction is on no path from a generic store to an
 * asynchronous read, or from a generic load to an asynchronous write, except on paths with another
 * such fence, and between places that are known and in different objects: in a pool, the next known
 * start of an object ends one. Paths go through barriers, and by mbarriers to other warps. */
bool proxies_idle(struct lint *lint, uint32_t fence);

#endif
