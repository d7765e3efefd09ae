/* Functions that the parts of the code arrival-count share. */
#ifndef PTXOPT_LINT_ARRIVALS_H
#define PTXOPT_LINT_ARRIVALS_H

#include "flow/loops.h"
#include "lint/lint.h"
#include "value/barriers.h"
#include "value/lanes.h"

/* The number of threads for which all conditions of the set hold. */
struct arrivals_numbered {
    const struct condition_set *set;
    struct lanes_number number;
};

/* Size of the cache of numbers; a kernel has few roles. */
enum { ARRIVALS_NUMBERED = 16 };

/* The warps that may wait for an mbarrier, as bits. */
struct arrivals_awaited {
    uint32_t warps;
    bool known;
};

/* What arrivals_most_counted returns, and from that arrivals_least_counted. */
struct arrivals_counted {
    int64_t most, least;
    uint32_t init; /* where the mbarrier with the least count is initialised */
    bool known;
};

enum { ARRIVALS_KEPT = 8 };

/* The threads that some conditions allow to reach an instruction. */
struct arrivals_threads {
    struct condition_set set;
    struct VEC(uint8_t) answers; /* by the base of a condition: whether it differs among them */
    bool *never, *some; /* by block: no such thread reaches it; possibly only some reach it */
    bool *differs;      /* by register: its value may differ among the threads */
    uint32_t *turns;    /* branches and exits by an unknown guard that differs among the threads */
    uint32_t turn_count;
    bool known;     /* the three arrays below are found */
    bool *joined;   /* by turn: from it, each path comes first to one barrier where all meet */
    uint8_t *leads; /* by block: see arrivals_find_joins */
    /* See find_takers: by component of the graph the first of them, and by handover the next, as 1
     * + an index of handovers; 0: none. */
    uint32_t *takers, *next_taker;
};

struct arrivals {
    struct lint *lint;
    struct arrivals_numbered numbers[ARRIVALS_NUMBERED];
    uint32_t number_count;
    /* Registers without a definition whose value is one thread's own (%tid), and instructions whose
     * result is (elect). NULL until needed. */
    uint32_t *source_webs, *sources;
    uint32_t source_web_count, source_count;
    const struct lint_code *code; /* reported as this code */
    bool of_cluster; /* the threads of all CTAs of the cluster are compared, not those of one CTA */
    struct lanes_shape shape;
    uint8_t *repeats;                 /* by use of an mbarrier: enum repeats; NULL until needed */
    struct arrivals_awaited *awaited; /* by kind of an mbarrier; NULL until needed */
    struct arrivals_counted *counted; /* likewise */
    uint32_t *of_init; /* by kind: twice 1 + the last init, as a use, for which is_of_init was
                          asked, and 1 if it is true; NULL until needed */
    /* By use of an mbarrier: in which CTAs it arrives; NULL until needed. */
    const struct cluster_arrivals **in_cluster;
    struct arrivals_threads *threads; /* those examined last */
    struct arrivals_threads kept[ARRIVALS_KEPT];
    uint32_t kept_count, oldest;
    struct VEC(uint32_t) open; /* registers whose readers are still to be examined */
    uint32_t *stops;           /* by block: see find_stops; NULL until needed */
    uint32_t *seen, *ahead;    /* of searches, by block */
    uint32_t searches;         /* their number so far */
    uint32_t *first_stop;      /* of arrivals_find_joins, by block */
    const struct loops *loops; /* set with stops */
};

/* For an entry function. The memory is in lint->arena, except what arrivals_end frees. */
struct arrivals arrivals_begin(struct lint *lint, const struct lint_code *code);
void arrivals_end(struct arrivals *arrivals);

/* All threads that the conditions of the instruction allow to reach it do so together: nothing on
 * the path makes one of them branch elsewhere, wait for something else, or use another operand.
 * warps: consider all warps; otherwise only the lanes of one warp. */
bool arrivals_in_step(struct arrivals *arrivals, uint32_t instr, bool warps);

/* The number of threads that may reach the instruction. */
struct lanes_number arrivals_number(struct arrivals *arrivals, uint32_t instr);

/* The use, an arrival, may be at the mbarrier that init initialises. */
bool arrivals_may_be_at(const struct lint *lint, const struct barrier_use *init,
                        const struct barrier_use *use);

/* The use loops over an array whose first mbarrier has another count than init, so init is most
 * likely after the end of the array. False if the bounds of the index include init. */
bool arrivals_behind_array(const struct lint *lint, const struct barrier_use *init,
                           const struct barrier_use *use);

/* The largest count among the mbarriers that the use, in the own CTA, may name; *init is where that
 * one is initialised. 0: not known. The use is one of `all`. */
int64_t arrivals_most_counted(const struct lint *lint, const struct barriers *all,
                              const struct barrier_use *use, uint32_t *init);

/* An index of the use names each mbarrier of an array in turn. Returns the least count of
 * these that is known to be less than `most`, and sets *init to where that one is initialised;
 * `most` if none is. */
int64_t arrivals_least_counted(const struct lint *lint, const struct barrier_use *use, int64_t most,
                               uint32_t *init);

/* The use is an arrival of a kind that the count of mbarrier.init includes. */
bool arrivals_is_counted(const struct barrier_use *use);

/* The number of arrivals by each thread that executes the use; -1: not known. */
int64_t arrivals_of_thread(const struct lint *lint, const struct barrier_use *use);

/* A thread may execute the instruction again without a wait in between: both may be in the same
 * phase. The instruction uses an mbarrier. */
bool arrivals_repeat(struct arrivals *a, uint32_t instr);

/* The constant after the mbarrier: the bytes of an expect_tx. -1: not known. */
int64_t arrivals_expected(const struct lint *lint, uint32_t instr);

/* Report counts that do not match: byte counts of mbarriers (arrival_bytes.c, arrival_tensor.c),
 * thread counts of barriers of the CTA (arrival_barriers.c), and arrivals at the mbarrier of
 * another CTA (arrival_cluster.c). */
void arrivals_check_bytes(struct arrivals *arrivals);
void arrivals_check_tensors(struct arrivals *arrivals);
void arrivals_check_barriers(struct arrivals *arrivals);
void arrivals_check_cluster(struct arrivals *arrivals);

#endif
