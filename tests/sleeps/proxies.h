/* Decides whether a proxy fence is between accesses of two proxies. For tests/sleeps. */
#ifndef PTXOPT_TESTS_SLEEPS_PROXIES_H
#define PTXOPT_TESTS_SLEEPS_PROXIES_H

#include "lint/lint.h"

/* The fence of shared memory at that instruction is on no way from a generic store to an
 * asynchronous read, or from a generic load to an asynchronous write, that no other such fence is
 * on; but for places that are known and not in one object: of a pool, the next known beginning
 * ends one. Ways go through barriers, and by mbarriers to other warps. */
bool proxies_idle(struct lint *lint, uint32_t fence);

#endif
