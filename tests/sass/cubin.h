/* The machine code in a cubin: 16-byte words by function, and the ways through them. Fields are as
 * ptxas 13.0 writes them for sm_100a. */
#ifndef PTXOPT_TESTS_SASS_CUBIN_H
#define PTXOPT_TESTS_SASS_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../harness.h"
#include "base/vec.h"

struct word {
    uint64_t low, high;
};

enum opcode {
    OPCODE_NOP = 0x918,
    OPCODE_BRA = 0x947,
    OPCODE_BRA_U = 0x547,
    OPCODE_BRX = 0x949,
    OPCODE_CALL = 0x944,
    OPCODE_WARPSYNC = 0x948,
    OPCODE_EXIT = 0x94d,
    OPCODE_RET = 0x950,
    OPCODE_TRAP = 0x95c,
    OPCODE_DEPBAR = 0x91a,
    OPCODE_FENCE_VIEW = 0x3c6,
    OPCODE_LDTM = 0x9ee,
    OPCODE_STTM = 0x9ed,
};

static inline uint32_t word_opcode(struct word word)
{
    return word.low & 0xfff;
}

/* Bits 40 to 59: where an address has an offset. */
static inline uint32_t word_offset(struct word word)
{
    return word.low >> 40 & 0xfffff;
}

/* Bits 64 to 95: what the instruction's modifiers are among. */
static inline uint32_t word_modifiers(struct word word)
{
    return (uint32_t)word.high;
}

static inline bool word_guarded(struct word word)
{
    return (word.low >> 12 & 0xf) != 7;
}

/* The scoreboard that is free when the result is there (7: none); a mask of those waited for. */
static inline uint32_t word_sets(struct word word)
{
    return (uint32_t)(word.high >> 46 & 7);
}

static inline uint32_t word_waits(struct word word)
{
    bool drains = word_opcode(word) == OPCODE_DEPBAR && !(word.low >> 38 & 0x3f);
    return (uint32_t)(word.high >> 52 & 0x3f) | (drains ? 1u << (word.low >> 44 & 7) : 0);
}

/* FENCE.VIEW.ASYNC.T: what tcgen05.wait::st becomes. */
static inline bool word_is_wait_st(struct word word)
{
    return word_opcode(word) == OPCODE_FENCE_VIEW && (word_modifiers(word) & 0x300) == 0x200;
}

struct code {
    const char *name; /* of the function; the cubin owns it */
    struct word *words;
    uint32_t count;
};

struct cubin {
    struct bytes file;
    struct {
        struct code *at;
        uint32_t count, cap;
    } functions;
};

/* Takes the file over; false when it is not an ELF file of 64 bits. */
bool cubin_read(struct cubin *cubin, struct bytes file);
void cubin_free(struct cubin *cubin);

/* NULL when there is none of that name. */
const struct code *cubin_find(const struct cubin *cubin, const char *name);

/* ---- flow ---- */

struct flow {
    const struct code *code;
    uint32_t *block;     /* of each word */
    uint32_t *start;     /* of each block, and after the last */
    uint32_t (*next)[2]; /* of each block: itself where there is none */
    bool (*back)[2];     /* such an edge leads back to a block that it came through */
    uint32_t blocks;
    bool whole; /* no branch whose targets are not known */
};

void flow_build(struct flow *flow, const struct code *code);
void flow_free(struct flow *flow);

/* Does x come before y on every way that takes both, as far as no loop's back edge is taken? */
bool flow_before(const struct flow *flow, uint32_t x, uint32_t y);

enum { OUTSTANDING = 1, OUTSTANDING_AROUND = 2 };

/* Where can what x (LDTM or STTM) began be incomplete? at[i] for the moment when word i is issued:
 * OUTSTANDING when there is such a way without a loop's back edge, _AROUND when there is one
 * with. */
void flow_outstanding(const struct flow *flow, uint32_t x, uint8_t *at);

#endif
