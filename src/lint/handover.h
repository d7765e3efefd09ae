/* Handovers between threads: one thread signals through a channel, another waits for the signal.
 * Functions with "may" or "likely" in their names are about possible handovers, which only suppress
 * findings or lower their level; the others are about certain ones. */
#ifndef PTXOPT_LINT_HANDOVER_H
#define PTXOPT_LINT_HANDOVER_H

#include "flow/behind.h"
#include "lint/lint.h"
#include "value/barriers.h"
#include "value/lanes.h"
#include "value/tmem.h"

enum channel {
    CHANNEL_MBARRIER,
    CHANNEL_CTA,     /* bar, barrier: identified by its number */
    CHANNEL_CLUSTER, /* barrier.cluster */
    CHANNEL_WARP,    /* bar.warp.sync */
    CHANNEL_FLAG,    /* memory that is read and written with stronger than weak semantics */
    CHANNEL_UNKNOWN, /* a call: any channel */
};

enum { HANDOVER_BARRIERS = 16 }; /* the barriers of a CTA */

struct handover {
    uint32_t instr;
    uint8_t channel; /* enum channel */
    bool signals, waits;
    const struct barrier_use *use; /* if the channel is an mbarrier */
    struct value address;          /* of a flag; for a barrier of the CTA, its number */
    uint32_t *numbers; /* by warp: the number of a barrier of the CTA, as a bit; all bits if it is
                          not known. NULL unless it differs by warp */
};

/* An asynchronous tcgen05 operation. */
struct tensor_op {
    uint32_t instr, range_count;
    bool writes; /* one of the ranges is written */
    struct tmem_range ranges[TMEM_RANGES_MAX];
    /* by range: its allocation, equal for ranges that most likely are in the same one; VALUE_NONE:
     * not known */
    struct value allocations[TMEM_RANGES_MAX];
};

/* Indices in handovers->at, ascending. */
struct handover_list {
    const uint32_t *at;
    uint32_t count;
    bool known;     /* at and count are computed */
    uint64_t *bits; /* the same as a bit set; NULL: not of handover_waits_before */
};

struct handovers {
    struct handover *at; /* in the order of the text */
    uint32_t count;
    struct tensor_op *ops; /* in the order of the text */
    uint32_t op_count;
    uint32_t *writers, writer_count; /* indices in ops of the operations that write */
    uint32_t *place;                 /* by instruction: 1 + its index in at or ops; 0: in neither */
    /* By index in at: the first, and the next, handover of the same mbarrier or flag; count:
     * none. */
    uint32_t *first_alike, *alike;
    /* By index in at: what handover_signals and handover_waits return. Computed on the first call.
     */
    struct handover_list *signals, *waits;
    uint32_t *by_mbarrier; /* the waits by mbarrier; NULL: not needed yet */
    uint32_t by_mbarrier_count;
    struct handover_list *of_kind[2];  /* by kind of the mbarrier: the same, of waits for it and of
                                          signals at it */
    uint32_t *meetings, meeting_count; /* the barriers of the CTA that not all threads execute, as
                                          indices in at */
    uint32_t *meeting_kinds; /* by index in at: of these, a number by their address; NULL until
                                needed */
    struct handover_list *of_meeting[2]; /* by that number, as of_kind */
    uint8_t of_several; /* two operations are in different threads: 1: no, 2: yes, 0: not computed
                           yet */
    struct lanes_shape shape;
    bool flags_of_one_base; /* of all flags the address is known, and has the same base */
    bool calls;             /* the channel of some handover is CHANNEL_UNKNOWN */
    bool numbers_differ;    /* the numbers of some handover are not NULL */
    bool several_warps;     /* the CTA has more than one warp, by its size or by what its operations
                               access */
    struct op_neighbours *neighbours;    /* see op_neighbours.h; NULL: nothing is asked yet */
    uint64_t *behind_last;               /* see handover_behind_last; NULL: not needed yet */
    uint32_t behind_of, behind_asked;    /* its instruction, and the one asked about last */
    struct tells *tells;                 /* see tells.h; NULL: nothing is asked yet */
    const struct handover_list **before; /* by instruction: the waits that may reach it; NULL:
                                            unknown */
    uint32_t *listed;                    /* by block, or at the first block of a loop: 1 + its last
                                            instruction for which before is known; 0: none */
    struct lateness *lateness;           /* see round_late.h */
    struct pair_orders *orders;          /* see pair_orders.h; NULL: nothing is asked yet */
    const struct blocks_behind *behind;  /* see handover_behind; NULL: not needed yet */
};

/* Finds the handovers and operations of the function. The result is allocated in lint->arena. */
struct handovers *handovers_find(struct lint *lint);

/* The handover at the instruction; NULL: none. */
static inline const struct handover *handover_at(const struct lint *lint, uint32_t instr)
{
    uint32_t place = lint->handovers->place[instr];
    bool async = place && effect_is_async(lint_effect(lint, instr));
    return place && !async ? &lint->handovers->at[place - 1] : NULL;
}

/* The index in all->at of the first handover at or after the instruction; all->count: none. */
uint32_t handover_from(const struct handovers *all, uint32_t instr);

/* The instruction synchronizes with other warps: false for bar.warp.sync and elect.sync. */
bool handover_with_other_warps(const struct lint *lint, uint32_t instr);

/* A thread that has executed first may reach second. False only if no thread can do that. */
bool handover_reaches(const struct lint *lint, uint32_t first, uint32_t second);

/* The components of the graph, with their members. In lint->arena. */
const struct loops *handover_loops(const struct lint *lint);

/* The blocks that control reaches from the end of each block. In lint->arena. */
const struct blocks_behind *handover_behind(const struct lint *lint);

/* The wait may be for this signal. False only if the wait is proven to be for other signals. */
bool handover_may_meet(const struct lint *lint, const struct handover *signal,
                       const struct handover *wait);

/* The signal and the wait may meet. Returns the warps, as bits, of which a thread may wait for a
 * signal that a thread of `warps` gives: warps with barriers of different numbers do not meet. */
uint32_t handover_warps_met(const struct lint *lint, const struct handover *signal,
                            const struct handover *wait, uint32_t warps);

/* `wait` and `signal` are indices in handovers->at. Returns all signals for which the wait may be,
 * or all waits that may be for the signal. */
const struct handover_list *handover_signals(const struct lint *lint, uint32_t wait);
const struct handover_list *handover_waits(const struct lint *lint, uint32_t signal);

/* The waits whose mbarrier is that of the use, whether the use is of the text or not. */
struct handover_list handover_waits_at(const struct lint *lint, const struct barrier_use *use);

/* The waits that may reach the instruction: indices in handovers->at. */
const struct handover_list *handover_waits_before(const struct lint *lint, uint32_t instr);

/* A bit set, by index in handovers->at, of the handovers that a thread which has executed the
 * instruction may reach (handover_reaches), until the next call. Takes less time for the same
 * instruction again, for a later one of the block, and for one of the same loop. */
const uint64_t *handover_behind_last(const struct lint *lint, uint32_t instr);

/* The same. NULL if neither this function nor handover_behind_last was called for the same
 * instruction before: then it takes less time to ask for a few handovers. */
const uint64_t *handover_behind_again(const struct lint *lint, uint32_t instr);

/* The wait is certainly for this signal. */
bool handover_meets(const struct lint *lint, const struct handover *signal,
                    const struct handover *wait);

/* For each thread that executes first, some other thread executes second. */
bool handover_other_thread(const struct lint *lint, uint32_t first, uint32_t second);

/* No two threads are known to execute one of the instructions each. */
bool handover_of_same_thread(const struct lint *lint, uint32_t a, uint32_t b);

/* wait: a wait for an mbarrier. */
bool handover_wait_acquires(const struct lint *lint, uint32_t wait);

/* Two tcgen05 operations of the function are in different threads, as handover_other_thread
 * decides. */
bool handover_of_several_threads(const struct lint *lint);

/* The only warp that may execute the instruction, as a bit; 0: several may, or it is not known. */
uint32_t handover_only_warp(const struct lint *lint, uint32_t instr);

/* Warps that do not execute first may execute second, because second has weaker conditions. */
bool handover_more_warps(const struct lint *lint, uint32_t first, uint32_t second);

/* As handover_more_warps, if the conditions of first depend on the thread or lane and so determine
 * which warps execute it. */
bool handover_of_fewer_warps(const struct lint *lint, uint32_t first, uint32_t second);

/* All threads that execute first come to the signal, or its thread may have waited for the
 * others. */
bool handover_signals_for_all(const struct lint *lint, uint32_t first, uint32_t signal);

/* Both certainly access the same cells of tensor memory, and at least one writes. */
bool handover_conflict(const struct lint *lint, const struct tensor_op *a,
                       const struct tensor_op *b);

/* The reader certainly reads cells of tensor memory that the writer writes. */
bool handover_reads_written(const struct lint *lint, const struct tensor_op *reader,
                            const struct tensor_op *writer);

/* The operation at the instruction; NULL: none. */
static inline const struct tensor_op *handover_op(const struct lint *lint, uint32_t instr)
{
    uint32_t place = lint->handovers->place[instr];
    bool async = place && effect_is_async(lint_effect(lint, instr));
    return async ? &lint->handovers->ops[place - 1] : NULL;
}

/* ---- likely: a ring of stages changes the address, so the analysis proves nothing about it ----
 */

/* The wait is for this signal, or most likely is: one role loops over an array of mbarriers and the
 * other role has its loop unrolled. */
bool handover_likely_meets(const struct lint *lint, const struct handover *signal,
                           const struct handover *wait);

/* As handover_likely_meets or, unless likely, as handover_meets. */
bool handover_is_for(const struct lint *lint, const struct handover *signal,
                     const struct handover *wait, bool likely);

/* The wait, an index in handovers->at, may be for a signal that a thread gives after the
 * instruction `first`, and most likely is not at another mbarrier. */
bool handover_waits_behind(const struct lint *lint, uint32_t first, uint32_t wait);

/* The two are at mbarriers that are others for certain, or most likely (arrays_likely_others). */
bool handover_likely_others(const struct lint *lint, const struct handover *signal,
                            const struct handover *wait);

/* Iterates over the handovers at an mbarrier for which handover_likely_meets may be true together
 * with that one, which is at an mbarrier too: by their indices in handovers->at, ascending. before:
 * the index of the previous one, or UINT32_MAX for the first call. handovers->count after the
 * last. */
uint32_t handover_next_likely(const struct lint *lint, uint32_t of, uint32_t before);

/* Both access the same allocation of tensor memory, at least one writes, and they are not known to
 * access different columns. */
bool handover_likely_conflict(const struct lint *lint, const struct tensor_op *a,
                              const struct tensor_op *b);

#endif
