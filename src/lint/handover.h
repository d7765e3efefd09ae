/* Handovers between threads. A handover uses a channel: one thread signals it, another waits on
 * it. Possible and certain handovers are kept apart: a possible one only ever suppresses a
 * finding. */
#ifndef PTXOPT_LINT_HANDOVER_H
#define PTXOPT_LINT_HANDOVER_H

#include "lint/lint.h"
#include "value/barriers.h"
#include "value/lanes.h"
#include "value/tmem.h"

enum channel {
    CHANNEL_MBARRIER,
    CHANNEL_CTA,     /* bar, barrier: by its number */
    CHANNEL_CLUSTER, /* barrier.cluster */
    CHANNEL_WARP,    /* bar.warp.sync */
    CHANNEL_FLAG,    /* memory that is written and read with more than weak semantics */
    CHANNEL_UNKNOWN, /* a call: may be any */
};

struct handover {
    uint32_t instr;
    uint8_t channel; /* enum channel */
    bool signals, waits;
    const struct barrier_use *use; /* of an mbarrier */
    struct value address;          /* of a flag; of a barrier of the CTA its number */
};

/* An asynchronous tcgen05 operation. */
struct tensor_op {
    uint32_t instr, range_count;
    bool writes; /* one of the ranges */
    struct tmem_range ranges[TMEM_RANGES_MAX];
};

/* Places of handovers, ascending. */
struct handover_list {
    const uint32_t *at;
    uint32_t count;
    bool known; /* made already */
};

struct handovers {
    struct handover *at; /* in the order of the text */
    uint32_t count;
    struct tensor_op *ops; /* in the order of the text */
    uint32_t op_count;
    uint32_t *writers, writer_count; /* those of the operations that write, by place in ops */
    uint32_t *place; /* by instruction: in at, or in ops, and one more; 0: in neither */
    /* By place in at: the first and the next one of the same mbarrier or flag; count: none is. */
    uint32_t *first_alike, *alike;
    /* By place in at: what handover_signals and handover_waits return; made when needed. */
    struct handover_list *signals, *waits;
    uint8_t of_several; /* some two operations are of different threads: 1: no, 2: yes; 0: not
                           asked yet */
    struct lanes_shape shape;
    bool several_warps; /* the CTA has more than one, for sure or by what its operations touch */
    uint64_t **behind;  /* by block: those that control reaches from its end; made when needed */
};

/* In lint->arena. */
struct handovers *handovers_find(struct lint *lint);

/* The object by which the instruction signals; NULL if there is none. */
const struct handover *handover_at(const struct lint *lint, uint32_t instr);

/* The instruction hands over to or from other warps: not bar.warp.sync and elect.sync. */
bool handover_with_other_warps(const struct lint *lint, uint32_t instr);

/* A thread that has run first may come to second; false only when none can. */
bool handover_reaches(const struct lint *lint, uint32_t first, uint32_t second);

/* The wait may be for this signal: not known to be for others. */
bool handover_may_meet(const struct lint *lint, const struct handover *signal,
                       const struct handover *wait);

/* By place: all signals that the wait may be for, and all waits that may be for the signal. */
const struct handover_list *handover_signals(const struct lint *lint, uint32_t wait);
const struct handover_list *handover_waits(const struct lint *lint, uint32_t signal);

/* The wait is for this signal. */
bool handover_meets(const struct lint *lint, const struct handover *signal,
                    const struct handover *wait);

/* Some thread other than each that runs the first runs the second. */
bool handover_other_thread(const struct lint *lint, uint32_t first, uint32_t second);

/* Some two tcgen05 operations of the function are of different threads in that sense. */
bool handover_of_several_threads(const struct lint *lint);

/* Warps may run the second that do not run the first: it has weaker conditions. */
bool handover_more_warps(const struct lint *lint, uint32_t first, uint32_t second);

/* The same where a test for one thread or lane says which warps run the first. */
bool handover_of_fewer_warps(const struct lint *lint, uint32_t first, uint32_t second);

/* Both touch the same cells of tensor memory for sure, one of them writing. */
bool handover_conflict(const struct lint *lint, const struct tensor_op *a,
                       const struct tensor_op *b);

/* The operation that instruction is; NULL when it is none. */
const struct tensor_op *handover_op(const struct lint *lint, uint32_t instr);

/* Something else than the channel of `but` may order second after first: a signal that a thread
 * which has run first may give, and a wait for it that leads to second. */
bool handover_otherwise(const struct lint *lint, uint32_t first, uint32_t second,
                        const struct handover *but);

/* ---- most likely: a ring of stages moves the address, and nothing is proven of it ---- */

/* The wait is for this signal, or one role loops over an array of mbarriers and the other has its
 * loop unrolled. */
bool handover_likely_meets(const struct lint *lint, const struct handover *signal,
                           const struct handover *wait);

/* Both touch the same allocation of tensor memory, one of them writing, and nothing says that it is
 * other columns. */
bool handover_likely_conflict(const struct lint *lint, const struct tensor_op *a,
                              const struct tensor_op *b);

/* As handover_otherwise; waits for which `but` likely is count as its own. */
bool handover_likely_otherwise(const struct lint *lint, uint32_t first, uint32_t second,
                               const struct handover *but);

#endif
