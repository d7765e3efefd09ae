/* What a run does, as far as the ordering model knows it: events of a few kinds over a graph of
 * blocks. It has kinds and edges, and no PTX. */
#ifndef PTXOPT_CHECK_MODEL_EVENT_H
#define PTXOPT_CHECK_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "check/model/flow.h"

enum monitor_event_kind {
    EVENT_LD,
    EVENT_ST,
    EVENT_PIPE, /* mma, cp, shift */
    EVENT_WAIT_LD,
    EVENT_WAIT_ST,
    EVENT_BEFORE,
    EVENT_AFTER,
    EVENT_COMMIT,
    EVENT_RELEASE_BARRIER, /* a commit's fence counts towards the BARRIER ones only */
    EVENT_RELEASE_MEMORY,
    EVENT_ACQUIRE_BARRIER,
    EVENT_ACQUIRE_MEMORY,
    EVENT_BOTH_BARRIER,
    EVENT_BOTH_MEMORY,
    /* Beside one of those: after it, that it receives, with causality or without; in front of it,
     * that it publishes without. */
    EVENT_RECEIPT,
    EVENT_RELAXED_RECEIPT,
    EVENT_RELAXED_RELEASE_BARRIER,
    EVENT_RELAXED_RELEASE_MEMORY,
    EVENT_ALLOC,  /* dealloc, alloc, relinquish */
    EVENT_CALL,   /* sees everything, and may return anything */
    EVENT_RETURN, /* of a .func */
    EVENT_EXIT,
    EVENT_WRITE, /* a register that pairs depend on changes; detail is the register */
    EVENT_COUNT
};

#define MONITOR_NONE UINT32_MAX

struct monitor_event {
    uint8_t kind;
    bool deleted;    /* in the original only */
    bool guarded;    /* may not run */
    bool joined;     /* a guarded commit right after a removed fence::before of the same guard */
    uint32_t detail; /* LD, ST, PIPE: number of its class, or NONE; WRITE: register */
    uint32_t tag;    /* the caller's */
};

/* Operations that pair with the same others. */
struct monitor_class {
    const uint32_t *registers; /* a change of one of them ends the pairing */
    uint32_t register_count;
    const void *data; /* for pairs() */
};

/* Classes of one kind. */
struct monitor_classes {
    const struct monitor_class *at;
    uint32_t count;
    /* True when an operation of class y need not come after an earlier one of class x. */
    bool (*pairs)(const void *x, const void *y);
};

struct transfer_tables;

struct monitor_graph {
    const struct monitor_event *events;
    const struct flow_block *blocks; /* block 0 is the entry */
    const uint32_t *succs;
    const uint32_t *kinds; /* by block, a bit for each kind of its events; NULL: not known */
    const bool *reached;   /* by block, whether a path leads there; NULL: not known */
    uint32_t event_count, block_count;
    bool is_entry;                   /* a kernel: nothing has been received at its start */
    struct monitor_classes pipes;    /* mma, cp and shift; two are a pipelined pair */
    struct monitor_classes accesses; /* ld and st; two are apart. None: not distinguished */
    const struct transfer_tables *tables;
};

/* Facts that need not be distinguished are one. */
enum monitor_fact {
    FACT_LD,
    FACT_ST,
    FACT_PIPE,
    FACT_COMPLETED, /* received: known complete */
    FACT_ORDERED,   /* the thread's own release, commit or allocation, or received */
    FACT_RELAXED,   /* received without causality: fences alone pass it on */
    FACT_CAUSAL,    /* received: the part that is published without causality */
    FACT_COUNT
};

/* A set of pairs: bit o | r << 4 | changed << 8, where o and r are the model's registers that hold
 * the fact in the original and the rewrite (the fact decides which bit is which, see transfer.c),
 * and changed says that a register of the class was written. */
enum { MONITOR_WORDS = 8 };

struct monitor_set {
    uint64_t words[MONITOR_WORDS];
};

#endif
