/* Classifies opcodes by their effect on ordering. This is the only table of opcodes of the checker;
 * every opcode has a class. */
#ifndef PTXOPT_CHECK_MODEL_EFFECT_H
#define PTXOPT_CHECK_MODEL_EFFECT_H

#include <stdint.h>

#include "base/str.h"

enum check_effect {
    CHECK_EFFECT_NEUTRAL,
    CHECK_EFFECT_LD, /* tcgen05.ld */
    CHECK_EFFECT_ST, /* tcgen05.st */
    CHECK_EFFECT_MMA,
    CHECK_EFFECT_CP,
    CHECK_EFFECT_SHIFT,
    CHECK_EFFECT_WAIT_LD,
    CHECK_EFFECT_WAIT_ST,
    CHECK_EFFECT_BEFORE,
    CHECK_EFFECT_AFTER,
    CHECK_EFFECT_COMMIT,
    CHECK_EFFECT_RELEASE_BARRIER, /* may publish; the fence of a commit counts for it */
    CHECK_EFFECT_RELEASE_MEMORY,  /* may publish; the fence of a commit does not count */
    CHECK_EFFECT_ACQUIRE_BARRIER, /* may observe */
    CHECK_EFFECT_ACQUIRE_MEMORY,
    CHECK_EFFECT_BOTH_BARRIER,
    CHECK_EFFECT_BOTH_MEMORY,
    CHECK_EFFECT_MEET,  /* accesses memory when the warp meets: BOTH_MEMORY if that is a barrier */
    CHECK_EFFECT_ALLOC, /* alloc, dealloc, relinquish */
    CHECK_EFFECT_CALL,
    CHECK_EFFECT_RET,
    CHECK_EFFECT_EXIT,
    CHECK_EFFECT_BRANCH,  /* bra */
    CHECK_EFFECT_INDEXED, /* brx.idx */
    CHECK_EFFECT_STRANGE  /* a tcgen05 opcode not in the table: no verdict */
};

enum check_effect_flag {
    CHECK_EFFECT_PURE = 1,        /* register work only: touches no memory */
    CHECK_EFFECT_NO_RESULT = 2,   /* the first operand is read, not written */
    CHECK_EFFECT_ALL_RESULTS = 4, /* not known: any register operand may be written */
    CHECK_EFFECT_TWO_RESULTS = 8, /* the second operand is written as well */
    CHECK_EFFECT_UNKNOWN = 16,    /* not in the table */
    CHECK_EFFECT_STOPS = 32,      /* the thread may end here */
    CHECK_EFFECT_NO_GLOBAL = 64,  /* accesses another state space than .global */
    CHECK_EFFECT_NO_SHARED = 128, /* accesses another state space than .shared */
    /* With BOTH_MEMORY: elects a lane of the warp, and observes no memory. */
    CHECK_EFFECT_ELECTION = CHECK_EFFECT_NO_GLOBAL | CHECK_EFFECT_NO_SHARED
};

/* Further properties of the words of an opcode. */
enum check_effect_word {
    CHECK_EFFECT_GROUP_1 = 1, /* .cta_group::1 */
    CHECK_EFFECT_GROUP_2 = 2,
    CHECK_EFFECT_SPARSE = 4, /* .sp */
    CHECK_EFFECT_4X256B = 8,
    CHECK_EFFECT_BY_INDEX = 16,           /* .idx */
    CHECK_EFFECT_STORES = 32,             /* only writes memory that other threads may read */
    CHECK_EFFECT_UNPAIRED = 64,           /* .ws: forms no pipelined pair */
    CHECK_EFFECT_RECEIVES = 128,          /* may learn what another thread has done */
    CHECK_EFFECT_RECEIVES_RELAXED = 256,  /* may learn it without causality */
    CHECK_EFFECT_PUBLISHES_RELAXED = 512, /* may signal another thread without causality */
    CHECK_EFFECT_LOADS = 1024,            /* has a result from memory; see touch_loads */
    /* ptxas may move it before a barrier, mma, cp or commit, whatever that waits for. */
    CHECK_EFFECT_EARLY = 2048
};

struct check_effect_class {
    uint8_t effect, flags;
    uint16_t words;
};

/* Returns the class of opcode head + modifiers (".a.b::c", without gaps). An unknown opcode is
 * BOTH_MEMORY; an unknown tcgen05 opcode is STRANGE. */
struct check_effect_class check_effect_of(struct str head, struct str modifiers);

#endif
