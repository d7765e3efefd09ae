/* The machine code in a cubin: 16-byte words by function, and the paths through them. The fields
 * are those that ptxas 13.0 writes for sm_100a. */
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
    OPCODE_LDTM_RED = 0x5ee, /* tcgen05.ld.red */
    OPCODE_STTM = 0x9ed,
};

static inline uint32_t word_opcode(struct word word)
{
    return word.low & 0xfff;
}

/* Whether it is tcgen05.ld or tcgen05.ld.red. */
static inline bool word_is_load(struct word word)
{
    return word_opcode(word) == OPCODE_LDTM || word_opcode(word) == OPCODE_LDTM_RED;
}

/* Whether it is tcgen05.ld, tcgen05.ld.red or tcgen05.st. */
static inline bool word_is_access(struct word word)
{
    return word_is_load(word) || word_opcode(word) == OPCODE_STTM;
}

/* Bits 40 to 59: the offset of an address. */
static inline uint32_t word_offset(struct word word)
{
    return word.low >> 40 & 0xfffff;
}

/* Bits 64 to 95, which contain the modifiers of the instruction. */
static inline uint32_t word_modifiers(struct word word)
{
    return (uint32_t)word.high;
}

static inline bool word_guarded(struct word word)
{
    return (word.low >> 12 & 0xf) != 7;
}

/* The scoreboard that is released when the result is available (7: none); a mask of the scoreboards
 * that are waited for. */
static inline uint32_t word_sets(struct word word)
{
    return (uint32_t)(word.high >> 46 & 7);
}

static inline uint32_t word_waits(struct word word)
{
    bool drains = word_opcode(word) == OPCODE_DEPBAR && !(word.low >> 38 & 0x3f);
    return (uint32_t)(word.high >> 52 & 0x3f) | (drains ? 1u << (word.low >> 44 & 7) : 0);
}

/* FENCE.VIEW.ASYNC.T, which ptxas emits for tcgen05.wait::st. */
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

/* Takes the file over; false if it is not an ELF file of 64 bits. */
bool cubin_read(struct cubin *cubin, struct bytes file);
void cubin_free(struct cubin *cubin);

/* NULL if there is none of that name. */
const struct code *cubin_find(const struct cubin *cubin, const char *name);

/* ---- flow ---- */

struct flow {
    const struct code *code;
    uint32_t *block;     /* of each word */
    uint32_t *start;     /* for each block, and after the last one */
    uint32_t (*next)[2]; /* for each block: itself if there is none */
    bool (*back)[2];     /* such an edge leads back to a block on the path */
    uint32_t blocks;
    bool whole; /* no branch has unknown targets */
};

void flow_build(struct flow *flow, const struct code *code);
void flow_free(struct flow *flow);

/* Whether x comes before y on every path with both, without back edges of loops. */
bool flow_before(const struct flow *flow, uint32_t x, uint32_t y);

enum { OUTSTANDING = 1, OUTSTANDING_AROUND = 2, UNFENCED = 4 };

/* Where the operation of x (LDTM or STTM) may be incomplete. at[i] is for the moment when word i is
 * issued: OUTSTANDING if there is such a path without a loop's back edge, _AROUND if there is one
 * with a back edge; also UNFENCED if one of them has no FENCE.VIEW of a wait for stores after x. */
void flow_outstanding(const struct flow *flow, uint32_t x, uint8_t *at);

#endif
