/* Does any observer see less without the deleted events?
 *
 * Follows one injected fact at a time over a graph of events, as the pair (registers that hold
 * it in the original, in the rewrite). Updates are unions, so one fact at a time is enough, and
 * the finite set of pairs at each block is the proof. Knows letters and edges, not PTX. */
#ifndef PTXOPT_CHECK_MONITOR_H
#define PTXOPT_CHECK_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum monitor_letter {
    LETTER_LD,
    LETTER_ST,
    LETTER_PIPE, /* mma, cp, shift */
    LETTER_WAIT_LD,
    LETTER_WAIT_ST,
    LETTER_BEFORE,
    LETTER_AFTER,
    LETTER_COMMIT,
    LETTER_RELEASE_BARRIER, /* a commit's fence counts towards the BARRIER ones only */
    LETTER_RELEASE_MEMORY,
    LETTER_ACQUIRE_BARRIER,
    LETTER_ACQUIRE_MEMORY,
    LETTER_BOTH_BARRIER,
    LETTER_BOTH_MEMORY,
    LETTER_ALLOC,  /* dealloc, alloc, relinquish */
    LETTER_CALL,   /* sees all, and hands back anything */
    LETTER_RETURN, /* of a .func */
    LETTER_EXIT,
    LETTER_WRITE, /* a register that pairs depend on changes; detail is the register */
    LETTER_COUNT
};

#define MONITOR_NONE UINT32_MAX

struct monitor_event {
    uint8_t letter;
    bool deleted;    /* in the original only */
    bool guarded;    /* may not run */
    bool joined;     /* a guarded commit right behind a deleted fence::before of the same guard */
    uint32_t detail; /* PIPE: number of its pairing class, or NONE; WRITE: register */
    uint32_t tag;    /* the caller's */
};

struct monitor_block {
    uint32_t start, end;           /* events */
    uint32_t succ_start, succ_end; /* into succs */
};

/* Operations that pair with the same others. */
struct monitor_class {
    const uint32_t *registers; /* a change of one of them ends the pairing */
    uint32_t register_count;
    const void *data; /* for pairs() */
};

struct step_tables;

struct monitor_graph {
    const struct monitor_event *events;
    const struct monitor_block *blocks; /* block 0 is the entry */
    const uint32_t *succs;
    uint32_t event_count, block_count;
    bool is_entry; /* a kernel: nothing has been received at its start */
    const struct monitor_class *classes;
    uint32_t class_count;
    /* True when an operation of class x and a later one of class y are a pipelined pair. */
    bool (*pairs)(const void *x, const void *y);
    const struct step_tables *tables;
};

/* The semantics under assumptions (bits of enum check_assume), for any number of graphs; released
 * with mem_free. */
struct step_tables *monitor_tables(uint32_t assume);

/* Facts that need not be told apart are one. */
enum monitor_fact {
    FACT_LD,
    FACT_ST,
    FACT_PIPE,
    FACT_COMPLETED, /* received: known complete */
    FACT_ORDERED,   /* the thread's own release, commit or allocation, or received */
    FACT_COUNT
};

/* A set of pairs: bit o | r << 4 | changed << 8, where o and r are the model's registers that hold
 * the fact in the original and the rewrite (which bit is which goes by the fact, see step.c), and
 * changed says that a register of the class was written. */
enum { MONITOR_WORDS = 8 };

struct monitor_set {
    uint64_t words[MONITOR_WORDS];
};

/* One analysis: a fact under a reading; at[b] is what may hold when block b is entered. */
struct monitor_proof {
    enum monitor_fact fact;
    bool literal;
    uint32_t class;         /* FACT_PIPE told apart by class, else MONITOR_NONE */
    struct monitor_set *at; /* block_count, mem_alloc */
    bool *reached;
};

struct monitor_proofs VEC(struct monitor_proof);

void monitor_proofs_free(struct monitor_proofs *proofs);

struct monitor_fault {
    enum monitor_fact fact;
    bool literal;
    bool too_big;              /* given up, nothing below is set */
    uint32_t source;           /* event that made the fact, NONE: it was there at entry */
    uint32_t culprit;          /* the deleted event that made the difference */
    uint32_t observer;         /* event that sees less */
    struct VEC(uint32_t) path; /* blocks from the source's to the observer's; vec_free */
};

/* True when no observer sees less under any reading; else false and the fault. The proofs are
 * appended to proofs unless it is NULL. */
bool monitor_check(const struct monitor_graph *graph, struct monitor_proofs *proofs,
                   struct monitor_fault *fault);

/* One pass over one analysis: true when its sets hold at the entry, are kept by every block and
 * let no observer see less. */
bool monitor_holds(const struct monitor_graph *graph, const struct monitor_proof *proof);

/* The analyses that must hold: every fact and reading without class. Fact FACT_PIPE may be
 * given by class instead, for every class. */
bool monitor_complete(const struct monitor_graph *graph, const struct monitor_proofs *proofs);

#endif
