/* Finds releases: instructions by which another thread may learn how far this thread has come. */
#ifndef PTXOPT_LINT_RELEASES_H
#define PTXOPT_LINT_RELEASES_H

#include "lint/lint.h"

enum release_kind {
    RELEASE_NONE,
    RELEASE_ARRIVE,  /* this thread does not wait: mbarrier.arrive, bar.arrive,
                        barrier.cluster.arrive */
    RELEASE_BARRIER, /* bar.sync: the threads wait for each other */
    RELEASE_FLAG, /* st, red or atom with release semantics, or a strong one (any red or atom) of an
                     integer constant */
};

/* RELEASE_NONE also for arrive.expect_tx, which prepares an mbarrier for a copy, and for
 * bar.warp.sync. */
enum release_kind release_of(const struct lint *lint, uint32_t instr);

/* The effects of all releases, as bits 1 << effect. */
enum {
    RELEASE_EFFECTS = 1 << EFFECT_RELEASE_BARRIER | 1 << EFFECT_RELEASE_MEMORY |
                      1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY
};

#endif
