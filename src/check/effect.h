/* What does an opcode do to ordering? The one total table of the checker. */
#ifndef PTXOPT_CHECK_EFFECT_H
#define PTXOPT_CHECK_EFFECT_H

#include <stdint.h>

#include "base/str.h"

enum effect {
    EFFECT_NEUTRAL,
    EFFECT_LD, /* tcgen05.ld */
    EFFECT_ST, /* tcgen05.st */
    EFFECT_MMA,
    EFFECT_CP,
    EFFECT_SHIFT,
    EFFECT_WAIT_LD,
    EFFECT_WAIT_ST,
    EFFECT_BEFORE,
    EFFECT_AFTER,
    EFFECT_COMMIT,
    EFFECT_RELEASE_BARRIER, /* may publish; a commit's fence counts towards it */
    EFFECT_RELEASE_MEMORY,  /* may publish; a commit's fence does not count */
    EFFECT_ACQUIRE_BARRIER, /* may observe */
    EFFECT_ACQUIRE_MEMORY,
    EFFECT_BOTH_BARRIER,
    EFFECT_BOTH_MEMORY,
    EFFECT_MEET,  /* memory is touched as the warp meets: BOTH_MEMORY if that is a barrier */
    EFFECT_ALLOC, /* alloc, dealloc, relinquish */
    EFFECT_CALL,
    EFFECT_RET,
    EFFECT_EXIT,
    EFFECT_BRANCH,  /* bra */
    EFFECT_INDEXED, /* brx.idx */
    EFFECT_STRANGE  /* a tcgen05 opcode not in the table: no verdict */
};

enum effect_flag {
    EFFECT_PURE = 1,        /* register work only: touches no memory, orders nothing */
    EFFECT_NO_RESULT = 2,   /* the first operand is read, not written */
    EFFECT_ALL_RESULTS = 4, /* not known: every register named may be written */
    EFFECT_TWO_RESULTS = 8  /* the second operand is written as well */
};

struct effect_class {
    uint8_t effect, flags;
};

/* The class of opcode head + modifiers (".a.b::c", joined). An opcode that is not in the table
 * is BOTH_MEMORY; of tcgen05 it is STRANGE. */
struct effect_class effect_of(struct str head, struct str modifiers);

/* Does any table row have this opcode? */
bool effect_is_known(struct str head);

/* True when one of the modifiers is exactly word (".volatile"). */
bool effect_has(struct str modifiers, const char *word);

#endif
