/* Releases: instructions by which another thread may learn how far this one has come. */
#ifndef PTXOPT_LINT_RELEASES_H
#define PTXOPT_LINT_RELEASES_H

#include "lint/lint.h"

enum release_kind {
    RELEASE_NONE,
    RELEASE_ARRIVE,  /* the others go on without this thread: mbarrier.arrive, bar.arrive,
                        barrier.cluster.arrive */
    RELEASE_BARRIER, /* bar.sync: they meet */
    RELEASE_FLAG,    /* a releasing store, red or atom, or one of a constant that is not a number of
                        floating point */
};

/* Not what arms an mbarrier for a copy (arrive.expect_tx), nor bar.warp.sync. */
enum release_kind release_of(const struct lint *lint, uint32_t instr);

/* The effects that releases have, as bits 1 << effect. */
enum {
    RELEASE_EFFECTS = 1 << EFFECT_RELEASE_BARRIER | 1 << EFFECT_RELEASE_MEMORY |
                      1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY
};

#endif
