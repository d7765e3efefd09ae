/* Finds the register from which the value of another register is computed by adding constants, so
 * that the difference of two registers with the same origin is known. */
#ifndef PTXOPT_CHECK_MODEL_ORIGIN_H
#define PTXOPT_CHECK_MODEL_ORIGIN_H

#include "check/model/program.h"

/* A value as base + number modulo 2^32. base has one value while the function runs; it is
 * PROGRAM_NONE if the value is number. */
struct origin {
    bool is_known;
    uint32_t base; /* register */
    uint32_t number;
    uint32_t zeros; /* bits of the value that are known to be zero */
};

/* The writes of a register in a body. */
struct origin_writer {
    uint32_t at;   /* offset of the last statement that may write it */
    uint8_t count; /* of the writes; 2: two or more */
    bool may : 1;  /* a write may not happen, or may happen later */
    bool is_known_to_cycle : 1;
    bool cycles : 1;  /* the statement may run again; set by a search */
    bool is_read : 1; /* its step was read */
};

/* What the statement that writes a register computes; read at its first use. */
struct origin_step;

/* The blocks that paths from the entry reach without the block that begins with this instruction;
 * PROGRAM_NONE: not set. */
struct origin_past {
    uint32_t avoided;
    uint8_t *seen; /* by block */
};

enum { ORIGINS_PASTS = 4 };

struct origins {
    const struct program *program;
    struct origin_writer *writers; /* by register */
    struct origin_step *steps;     /* by register, of those that were read */
    uint8_t *seen;                 /* by block: found by the current search */
    /* The last searches for paths that avoid a block, since the addresses of many accesses have the
     * same few writers. next_past: the one that the next search replaces. */
    struct origin_past pasts[ORIGINS_PASTS];
    uint32_t next_past;
    uint32_t *starts; /* by instruction: the first one of its block; NONE if it is in no block */
    struct VEC(uint32_t) todo; /* blocks that were found and still have to be processed */
    uint64_t work_left;
};

/* Initialises origins for a program that was read completely, which must outlive it. Release it
 * with origins_free. */
void origins_begin(struct origins *origins, const struct program *program);
void origins_free(struct origins *origins);

/* Returns the value of the register where the statement at offset at reads it. */
struct origin origins_of(struct origins *origins, uint32_t reg, uint32_t at);

/* Reads a name or number at *pos, and moves *pos after it. For the name of a register that means
 * the same in all scopes of the function, sets *reg; otherwise sets it to PROGRAM_NONE and *number
 * to a number of 32 bits. Returns false if there is neither. */
bool origin_read_operand(const struct program *program, uint32_t *pos, uint32_t *reg,
                         uint32_t *number);

#endif
