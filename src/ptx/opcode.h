/* The opcode effects table: how each instruction affects the order of others. It is the only such
 * table of the optimizer. It covers chapter 9.7 of the PTX ISA; an opcode that is not in it is
 * unknown and orders everything. tests/isa/opcodes.txt lists all opcodes of the ISA with their
 * classes. */
#ifndef PTXOPT_PTX_OPCODE_H
#define PTXOPT_PTX_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum effect {
    EFFECT_REGISTER, /* neutral: reads and writes registers only, or branches */
    EFFECT_MEMORY,   /* neutral: a weak access, which publishes and observes nothing */
    EFFECT_ASYNC_LD,
    EFFECT_ASYNC_ST,
    EFFECT_ASYNC_MMA,
    EFFECT_ASYNC_CP,
    EFFECT_ASYNC_SHIFT,
    EFFECT_WAIT_LD,
    EFFECT_WAIT_ST,
    EFFECT_FENCE_BEFORE,
    EFFECT_FENCE_AFTER,
    EFFECT_COMMIT,
    /* Execution-ordering operations. The implicit fence of a commit counts for the barriers only:
     * ptxas moves the others above the operations that the commit tracks. */
    EFFECT_RELEASE_BARRIER, /* may publish: arrivals */
    EFFECT_RELEASE_MEMORY,
    EFFECT_ACQUIRE_BARRIER, /* may observe */
    EFFECT_ACQUIRE_MEMORY,
    EFFECT_BOTH_BARRIER, /* may do both: barriers, initialising an mbarrier */
    EFFECT_BOTH_MEMORY,  /* atomics, fences, collectives, clocks, unknown opcodes */
    EFFECT_MEET_MEMORY,  /* a weak access that joins the warp: like BOTH_MEMORY if that counts as a
                            barrier */
    EFFECT_ALLOC,        /* tensor memory allocation: all operations must be complete before it */
    EFFECT_CALL,
    EFFECT_EXIT,        /* exit, ret, the end of the body */
    EFFECT_UNSUPPORTED, /* an unknown tcgen05 instruction: the function is not changed */
    EFFECT_COUNT
};

enum { OPCODE_WRITES_ALL = 255, OPCODE_MODIFIERS_MAX = 24 };

enum opcode_trait {
    OPCODE_NONE = 0,
    OPCODE_BRANCH = 1 << 0,       /* branches to the label that it names */
    OPCODE_TABLE_BRANCH = 1 << 1, /* branches to a label of the table that it names */
    OPCODE_BLIND = 1 << 2,        /* orders, but receives nothing from another thread */
    OPCODE_TCGEN05 = 1 << 3,
    OPCODE_ASIDE = 1 << 4,   /* may order, but passes at most a register to another thread, so an
                                instruction that signals by memory or a barrier is a better witness */
    OPCODE_CALLED = 1 << 5,  /* not in the text: an effect of a call, see flow/expand.h */
    OPCODE_COMPARE = 1 << 6, /* writes the result of a comparison to predicates */
    OPCODE_ELECTS =
        1 << 7, /* elect.sync: the warp synchronises, and receives the number of one of its lanes */
    OPCODE_STORES = 1 << 8,          /* writes memory when it runs, and has no other effect */
    OPCODE_TOUCHES_NOTHING = 1 << 9, /* a barrier's row that only reads a register */
    /* Receives from other threads with causality: an acquire or a barrier (model G6). An
     * instruction with neither this trait nor OPCODE_BLIND may receive as a relaxed load does. */
    OPCODE_CAUSAL_IN = 1 << 10,
    OPCODE_CAUSAL_OUT = 1 << 11, /* what it publishes, if anything, is published with causality */
    OPCODE_NO_PAIR = 1 << 12,    /* a form that is in no row of the pipelined pairs (G1) */
    OPCODE_SETS_UP = 1 << 13,    /* initialises an mbarrier, or elects a lane */
    OPCODE_EARLY = 1 << 14, /* ptxas moves it, or may move it, before a barrier or commit, whatever
                               that one waits for */
    OPCODE_CAUSAL = OPCODE_CAUSAL_IN | OPCODE_CAUSAL_OUT,
    OPCODE_CAUSAL_STORES = OPCODE_CAUSAL | OPCODE_STORES,
    OPCODE_SILENT = OPCODE_BLIND | OPCODE_CAUSAL_OUT,
    OPCODE_SILENT_ASIDE = OPCODE_SILENT | OPCODE_ASIDE,
    OPCODE_SILENT_EARLY = OPCODE_SILENT_ASIDE | OPCODE_EARLY,
    OPCODE_SET_UP = OPCODE_SILENT | OPCODE_SETS_UP,
    OPCODE_SET_UP_ASIDE = OPCODE_SET_UP | OPCODE_ASIDE,
    OPCODE_ELECTION = OPCODE_SET_UP_ASIDE | OPCODE_ELECTS,
    OPCODE_UNPAIRED = OPCODE_TCGEN05 | OPCODE_NO_PAIR,
    OPCODE_TCGEN05_STORES = OPCODE_TCGEN05 | OPCODE_STORES,
};

/* A row: an opcode with the modifiers that distinguish it. */
struct opcode {
    char name[36]; /* base opcode, then the required modifiers: "ld .volatile" */
    enum effect effect;
    uint8_t writes;   /* number of leading operands that are destinations, or OPCODE_WRITES_ALL */
    uint16_t traits;  /* bits of enum opcode_trait */
    char section[13]; /* of PTX ISA 9.0 */
    const char *allowed; /* the other modifiers that it may have; NULL: any; a trailing '*' in a
                            word matches any ending. With a modifier that is not in this list, an
                            instruction is unknown */
};

/* An opcode and its modifiers, each with its dot, as written but without blanks and comments. */
struct mnemonic {
    struct str base;
    struct str modifiers[OPCODE_MODIFIERS_MAX];
    uint32_t count;
};

/* The row for a mnemonic: the first one whose required modifiers are all present and whose list
 * allows the rest. Never NULL: opcode_of_none if no row fits. */
const struct opcode *opcode_find(const struct mnemonic *mnemonic);
extern const struct opcode opcode_unknown;

/* The row if no row fits: opcode_unknown or, for tcgen05, a row with EFFECT_UNSUPPORTED. */
const struct opcode *opcode_of_none(struct str base);

/* The row for an instruction of the classes REGISTER and MEMORY that reads a clock: reading a clock
 * observes the order of other instructions. */
extern const struct opcode opcode_clock;
bool opcode_is_clock_by_name(struct str special_register);

static inline bool opcode_is_clock(struct str name)
{
    bool begins = name.n > 5 && (name.p[1] == 'c' || name.p[1] == 'g');
    return begins && opcode_is_clock_by_name(name);
}

/* Not an instruction: the end of the body. */
extern const struct opcode opcode_end_of_body;

/* opcode_called: a possible effect of a call, one for each class. opcode_called_again: the branch
 * back over all these, to the instruction whose number is its spelling. REGISTER and MEMORY stand
 * for the rest of the call. */
const struct opcode *opcode_called(enum effect effect);
extern const struct opcode opcode_called_again;

bool mnemonic_has(const struct mnemonic *mnemonic, const char *modifier);

/* The forms of fence.proxy.async that the rules distinguish (ISA 9.7.13.5). */
enum proxy_fence { PROXY_NONE, PROXY_ALL, PROXY_GLOBAL, PROXY_SHARED_CTA, PROXY_SHARED_CLUSTER };

/* The memory that a weak ld or st accesses, by the state space in its text. SPACE_ANY without a
 * state space, and for every other instruction. */
enum memory_space {
    SPACE_ANY,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_PRIVATE /* local, param, const */
};

/* The shapes that the pair table distinguishes. */
enum tcgen05_shape { SHAPE_OTHER, SHAPE_4X256B, SHAPE_16X32BX2 };

enum proxy_fence mnemonic_proxy(const struct mnemonic *mnemonic);
enum tcgen05_shape mnemonic_shape(const struct mnemonic *mnemonic);
enum memory_space mnemonic_space(const struct mnemonic *mnemonic);

/* The name in --dump and the tests, such as "wait-ld". Static. */
const char *effect_name(enum effect effect);

static inline bool effect_is_async(enum effect e)
{
    return e >= EFFECT_ASYNC_LD && e <= EFFECT_ASYNC_SHIFT;
}

/* mma, cp, shift: the operations that a commit tracks (ISA 9.7.16.6.2.1.1). */
static inline bool effect_is_pipe(enum effect e)
{
    return e >= EFFECT_ASYNC_MMA && e <= EFFECT_ASYNC_SHIFT;
}

static inline bool effect_is_fence(enum effect e)
{
    return e == EFFECT_FENCE_BEFORE || e == EFFECT_FENCE_AFTER;
}

/* The four waits and fences, which have no operands. */
static inline bool effect_is_wait_or_fence(enum effect e)
{
    return e >= EFFECT_WAIT_LD && e <= EFFECT_FENCE_AFTER;
}

/* Accesses at most tensor memory, and so nothing that a proxy fence orders. */
static inline bool effect_is_tensor_only(enum effect e)
{
    return e == EFFECT_ASYNC_LD || e == EFFECT_ASYNC_ST || effect_is_wait_or_fence(e);
}

static inline bool effect_is_neutral(enum effect e)
{
    return e <= EFFECT_MEMORY;
}

static inline bool effect_is_release(enum effect e)
{
    return e == EFFECT_RELEASE_BARRIER || e == EFFECT_RELEASE_MEMORY;
}

static inline bool effect_is_acquire(enum effect e)
{
    return e == EFFECT_ACQUIRE_BARRIER || e == EFFECT_ACQUIRE_MEMORY;
}

static inline bool effect_is_both(enum effect e)
{
    return e == EFFECT_BOTH_BARRIER || e == EFFECT_BOTH_MEMORY;
}

/* An operation of the thread itself after which a fence::after keeps later operations (G5). */
static inline bool effect_is_own_order(enum effect e)
{
    return effect_is_release(e) || effect_is_both(e) || e == EFFECT_COMMIT || e == EFFECT_ALLOC;
}

/* The implicit fence of a commit does not order this operation. */
static inline bool effect_is_beyond_commit(enum effect e)
{
    return e == EFFECT_RELEASE_MEMORY || e == EFFECT_ACQUIRE_MEMORY || e == EFFECT_BOTH_MEMORY;
}

/* The rows of the table, for tests. Static. */
const struct opcode *opcode_rows(uint32_t *count);

#endif
