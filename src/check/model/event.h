/* The model of a function: events of a few kinds on a graph of blocks. It has kinds and edges, but
 * no PTX. */
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
    EVENT_RELEASE_BARRIER, /* the fence of a commit counts for the BARRIER kinds only */
    EVENT_RELEASE_MEMORY,
    EVENT_ACQUIRE_BARRIER,
    EVENT_ACQUIRE_MEMORY,
    EVENT_BOTH_BARRIER,
    EVENT_BOTH_MEMORY,
    /* Additional events beside one of those above. After it: it receives, with or without
     * causality. Before it: it publishes without causality. */
    EVENT_RECEIPT,
    EVENT_RELAXED_RECEIPT,
    EVENT_RELAXED_RELEASE_BARRIER,
    EVENT_RELAXED_RELEASE_MEMORY,
    EVENT_ALLOC,  /* dealloc, alloc, relinquish */
    EVENT_CALL,   /* sees everything, and may return anything */
    EVENT_RETURN, /* of a .func */
    EVENT_EXIT,
    EVENT_WRITE, /* changes a register that pairs depend on; detail is the register */
    EVENT_COUNT
};

#define MONITOR_NONE UINT32_MAX

struct monitor_event {
    uint8_t kind;
    bool deleted; /* in BEFORE only */
    bool guarded; /* may not run */
    bool joined;  /* a guarded commit directly after a removed fence::before with the same guard */
    uint32_t detail; /* LD, ST, PIPE: number of the class, or NONE; WRITE: register */
    uint32_t tag;    /* for the caller */
};

/* A class of operations that pair with the same other operations. */
struct monitor_class {
    const uint32_t *registers; /* a write of one of them ends the pairing */
    uint32_t register_count;
    const void *data; /* for pairs() */
};

/* The classes of one kind of operation. */
struct monitor_classes {
    const struct monitor_class *at;
    uint32_t count;
    /* Whether an operation of class y needs no order after an earlier one of class x. */
    bool (*pairs)(const void *x, const void *y);
};

struct transfer_tables;

struct monitor_graph {
    const struct monitor_event *events;
    const struct flow_block *blocks; /* block 0 is the entry */
    const uint32_t *succs;
    const uint32_t *kinds; /* by block, 1 << kind of each of its events; NULL: not known */
    const bool *reached;   /* by block, whether a path reaches it; NULL: not known */
    const uint32_t *leads; /* as in struct flow; the fence of a joined event is in its block */
    uint32_t all_kinds;    /* all bits of kinds; 0: not known */
    uint32_t event_count, block_count;
    bool is_entry;                /* a kernel, at whose start nothing has been received */
    struct monitor_classes pipes; /* classes of mma, cp and shift; pairs(): a pipelined pair */
    /* Classes of ld and st; pairs(): they are apart. count is 0 if they are not divided. */
    struct monitor_classes accesses;
    const struct transfer_tables *tables;
};

/* The facts that the monitor follows. Facts that behave alike are one. */
enum monitor_fact {
    FACT_LD,
    FACT_ST,
    FACT_PIPE,
    FACT_COMPLETED, /* received, and complete */
    FACT_ORDERED,   /* a release, commit or allocation of the thread itself, or received */
    FACT_RELAXED,   /* received without causality: only fences pass it on */
    FACT_CAUSAL,    /* received; the part that is published without causality */
    FACT_COUNT
};

/* A set of pairs. A pair is bit o | r << 4 | changed << 8: o and r are the registers of the model
 * that hold the fact in BEFORE and in AFTER (the meaning of their bits depends on the fact, see
 * transfer.c); changed: a register of the class was written. */
enum { MONITOR_WORDS = 8 };

struct monitor_set {
    uint64_t words[MONITOR_WORDS];
};

#endif
