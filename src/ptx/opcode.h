/* The opcode effects table: what each instruction does to ordering. It is the only one. It
 * is total over the PTX ISA's chapter 9.7; what is not in it is UNKNOWN and orders everything.
 * Classes: tests/isa/opcodes.txt lists every opcode of the ISA with its class. */
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
    /* Execution-ordering operations. A commit's implicit fence counts towards the barriers only:
     * ptxas moves the others above what the commit tracks. */
    EFFECT_RELEASE_BARRIER, /* may publish: arrivals */
    EFFECT_RELEASE_MEMORY,
    EFFECT_ACQUIRE_BARRIER, /* may observe */
    EFFECT_ACQUIRE_MEMORY,
    EFFECT_BOTH_BARRIER, /* may do either: barriers, setting up an mbarrier */
    EFFECT_BOTH_MEMORY,  /* atomics, fences, collectives, clocks, unknown opcodes */
    EFFECT_MEET_MEMORY,  /* a weak access in step with the warp: BOTH_MEMORY if that counts as a
                            barrier */
    EFFECT_ALLOC,        /* tensor-memory allocation: must see all completion */
    EFFECT_CALL,
    EFFECT_EXIT,        /* exit, ret, the end of the body */
    EFFECT_UNSUPPORTED, /* an unknown tcgen05 instruction: the function is not changed */
    EFFECT_COUNT
};

enum { OPCODE_WRITES_ALL = 255, OPCODE_MODIFIERS_MAX = 24 };

enum opcode_trait {
    OPCODE_NONE = 0,
    OPCODE_BRANCH = 1 << 0,       /* branches to the label that it names */
    OPCODE_TABLE_BRANCH = 1 << 1, /* … to one of the table that it names */
    OPCODE_BLIND = 1 << 2,        /* orders, but receives nothing from another thread */
    OPCODE_TCGEN05 = 1 << 3,
    OPCODE_ASIDE = 1 << 4,  /* may order, but what it hands to another thread is at most a register;
                             * one that signals by memory or a barrier is the better witness */
    OPCODE_CALLED = 1 << 5, /* no instruction of the text: what a call of a function that is known
                             * may do, see flow/expand.h */
    OPCODE_COMPARE = 1 << 6, /* leaves in predicates how two values compare */
    OPCODE_ELECTS =
        1 << 7, /* elect.sync: the warp synchronises, and receives the number of one of its lanes */
    OPCODE_STORES = 1 << 8,          /* writes memory when it runs, and nothing else */
    OPCODE_TOUCHES_NOTHING = 1 << 9, /* a barrier's row that only reads a register */
    /* It receives from other threads with causality: an acquire or a barrier (model
     * G6). One that has neither this nor OPCODE_BLIND may receive as a relaxed load does. */
    OPCODE_CAUSAL_IN = 1 << 10,
    OPCODE_CAUSAL_OUT = 1 << 11, /* what it publishes, if anything, is published with causality */
    OPCODE_NO_PAIR = 1 << 12,    /* a form that no row of the pipelined pairs names (G1) */
    OPCODE_SETS_UP = 1 << 13,    /* an mbarrier, or elects a lane */
    OPCODE_CAUSAL = OPCODE_CAUSAL_IN | OPCODE_CAUSAL_OUT,
    OPCODE_CAUSAL_STORES = OPCODE_CAUSAL | OPCODE_STORES,
    OPCODE_SILENT = OPCODE_BLIND | OPCODE_CAUSAL_OUT,
    OPCODE_SILENT_ASIDE = OPCODE_SILENT | OPCODE_ASIDE,
    OPCODE_SET_UP = OPCODE_SILENT | OPCODE_SETS_UP,
    OPCODE_SET_UP_ASIDE = OPCODE_SET_UP | OPCODE_ASIDE,
    OPCODE_ELECTION = OPCODE_SET_UP_ASIDE | OPCODE_ELECTS,
    OPCODE_UNPAIRED = OPCODE_TCGEN05 | OPCODE_NO_PAIR,
    OPCODE_TCGEN05_STORES = OPCODE_TCGEN05 | OPCODE_STORES,
};

/* One row: an opcode with the modifiers that single it out. */
struct opcode {
    const char *name; /* base opcode, then the required modifiers: "ld .volatile" */
    enum effect effect;
    uint8_t writes;      /* how many leading operands are destinations, or OPCODE_WRITES_ALL */
    uint16_t traits;     /* bits of enum opcode_trait */
    const char *section; /* PTX ISA 9.0 */
    const char *allowed; /* the other modifiers it may carry, "*" for any; a trailing '*' in a
                          * word is a prefix match. One outside this list makes it UNKNOWN */
};

/* An opcode with its modifiers, each with its dot, as written but for blanks and comments. */
struct mnemonic {
    struct str base;
    struct str modifiers[OPCODE_MODIFIERS_MAX];
    uint32_t count;
};

/* The row for a mnemonic: the first with all required modifiers there and a list that allows
 * the rest. Never NULL: without one opcode_of_none. */
const struct opcode *opcode_find(const struct mnemonic *mnemonic);
extern const struct opcode opcode_unknown;

/* What it is when no row fits: opcode_unknown or, of tcgen05, a row with EFFECT_UNSUPPORTED. */
const struct opcode *opcode_of_none(struct str base);

/* What an instruction of the REGISTER and MEMORY classes is that reads one of those special
 * registers; reading a clock is ordered among the others by what it observes. */
extern const struct opcode opcode_clock;
bool opcode_is_clock_by_name(struct str special_register);

static inline bool opcode_is_clock(struct str name)
{
    bool begins = name.n > 5 && (name.p[1] == 'c' || name.p[1] == 'g');
    return begins && opcode_is_clock_by_name(name);
}

/* Not an instruction: where control falls off the end of a body. */
extern const struct opcode opcode_end_of_body;

/* What a call may do, one class at a time, and the branch back over all of them: to the
 * instruction that its spelling numbers. REGISTER and MEMORY are the rest of the call itself.
 */
const struct opcode *opcode_called(enum effect effect);
extern const struct opcode opcode_called_again;

bool mnemonic_has(const struct mnemonic *mnemonic, const char *modifier);

/* fence.proxy.async forms that the rules use (ISA 9.7.13.5). */
enum proxy_fence { PROXY_NONE, PROXY_ALL, PROXY_GLOBAL, PROXY_SHARED_CTA, PROXY_SHARED_CLUSTER };

/* Which memory a weak ld or st touches, by the state space that it names. Without a name, and of
 * every other instruction, it may be any. */
enum memory_space {
    SPACE_ANY,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_PRIVATE /* local, param, const */
};

/* The shapes that the pair table requires. */
enum tcgen05_shape { SHAPE_OTHER, SHAPE_4X256B, SHAPE_16X32BX2 };

enum proxy_fence mnemonic_proxy(const struct mnemonic *mnemonic);
enum tcgen05_shape mnemonic_shape(const struct mnemonic *mnemonic);
enum memory_space mnemonic_space(const struct mnemonic *mnemonic);

/* "wait-ld", as --dump and the tests spell it. */
const char *effect_name(enum effect effect);

static inline bool effect_is_async(enum effect e)
{
    return e >= EFFECT_ASYNC_LD && e <= EFFECT_ASYNC_SHIFT;
}

/* mma, cp, shift: what a commit tracks (ISA 9.7.16.6.2.1.1). */
static inline bool effect_is_pipe(enum effect e)
{
    return e >= EFFECT_ASYNC_MMA && e <= EFFECT_ASYNC_SHIFT;
}

static inline bool effect_is_fence(enum effect e)
{
    return e == EFFECT_FENCE_BEFORE || e == EFFECT_FENCE_AFTER;
}

/* One of the four that take no operands. */
static inline bool effect_is_wait_or_fence(enum effect e)
{
    return e >= EFFECT_WAIT_LD && e <= EFFECT_FENCE_AFTER;
}

/* Touches tensor memory at the most, and so nothing that a proxy fence is about. */
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

/* The thread's own, which a fence::after keeps later operations after (G5). */
static inline bool effect_is_own_order(enum effect e)
{
    return effect_is_release(e) || effect_is_both(e) || e == EFFECT_COMMIT || e == EFFECT_ALLOC;
}

/* A commit's implicit fence does not count towards it. */
static inline bool effect_is_beyond_commit(enum effect e)
{
    return e == EFFECT_RELEASE_MEMORY || e == EFFECT_ACQUIRE_MEMORY || e == EFFECT_BOTH_MEMORY;
}

/* The table's rows, for the tests. */
const struct opcode *opcode_rows(uint32_t *count);

#endif
