/* Places where a thread may learn what other threads did. */
#ifndef PTXOPT_LINT_MEET_H
#define PTXOPT_LINT_MEET_H

#include "lint/walk.h"
#include "value/lanes.h"

enum meet_kind {
    MEET_NOBODY,  /* nothing is learned: its own warp's collectives, fences alone, setting up */
    MEET_CTA,     /* all threads of the CTA: bar.sync 0 */
    MEET_NAMED,   /* some of them: another barrier of the CTA */
    MEET_CLUSTER, /* barrier.cluster.wait */
    MEET_ANYBODY, /* whoever arrived, stored or called: mbarriers, flags, functions */
};

enum meet_kind meet_kind_of(const struct lint *lint, uint32_t instr);

/* Of the threads that learn: all effects that they have. */
#define MEET_EFFECTS                                                                               \
    (1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_ACQUIRE_MEMORY | 1u << EFFECT_BOTH_BARRIER |      \
     1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_CALL)

/* Whether threads of another warp than runs `done` come to `at`, by a path of theirs on which
 * they cannot have learnt that `done` is over; certain. The path is from the entry to `at`. */
bool meet_missing(const struct lint *lint, const struct lanes_shape *shape, uint32_t done,
                  uint32_t at, struct walk_path *path);

/* Whether threads come to `at` by a path on which they cannot have learnt by barrier.cluster that
 * another CTA of the cluster, which runs the same text, is done with `done`; certain. */
bool meet_cluster_missing(const struct lint *lint, uint32_t done, uint32_t at,
                          struct walk_path *path);

#endif
