/* Finds where a thread may learn what other threads did. */
#ifndef PTXOPT_LINT_MEET_H
#define PTXOPT_LINT_MEET_H

#include "lint/walk.h"
#include "value/lanes.h"

enum meet_kind {
    MEET_NOBODY,  /* nothing is learned: instructions of the own warp, fences alone, setmaxnreg */
    MEET_CTA,     /* all threads of the CTA: bar.sync 0 */
    MEET_NAMED,   /* some of them: another barrier of the CTA */
    MEET_CLUSTER, /* barrier.cluster.wait */
    MEET_ANYBODY, /* any thread: mbarriers, flags, calls */
};

enum meet_kind meet_kind_of(const struct lint *lint, uint32_t instr);

/* The effects of all instructions at which a thread may learn something. */
#define MEET_EFFECTS                                                                               \
    (1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_ACQUIRE_MEMORY | 1u << EFFECT_BOTH_BARRIER |      \
     1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_CALL)

/* What meet_missing has found for one `done`. Zero-initialise it. */
enum { MEET_TOLD_MAX = 32, MEET_FIRSTS_MAX = 8 };
struct meet_told {
    struct {
        uint32_t barrier, set; /* the number of a set in path_condition.h */
        bool told;             /* threads under the set may tell of `done` at the barrier */
    } at[MEET_TOLD_MAX];
    uint32_t count;
    uint32_t firsts[MEET_FIRSTS_MAX]; /* barriers behind `done`, the first of their number */
    uint32_t first_count;
    bool listed;   /* firsts is filled in */
    bool all_know; /* every warp executes `done` */
    bool counted;  /* cta and cluster are known: how often the warp has met the others before `done`
                    */
    unsigned cta, cluster;
};

/* True if threads of another warp than the one that executes `done` certainly reach `at` on a path
 * on which they cannot have learned that `done` is complete. *path is from the entry to `at`. */
bool meet_missing(const struct lint *lint, const struct lanes_shape *shape, struct meet_told *told,
                  uint32_t done, uint32_t at, struct walk_path *path);

/* True if threads certainly reach `at` on a path on which they cannot have learned by
 * barrier.cluster that another CTA of the cluster, which executes the same code, has completed
 * `done`. */
bool meet_cluster_missing(const struct lint *lint, uint32_t done, uint32_t at,
                          struct walk_path *path);

#endif
