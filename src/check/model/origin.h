/* Finds where the value of a register comes from: which register it is made of by adding numbers,
 * so that two registers of one origin differ by a number that is known. */
#ifndef PTXOPT_CHECK_MODEL_ORIGIN_H
#define PTXOPT_CHECK_MODEL_ORIGIN_H

#include "check/model/program.h"

/* A value as base + number modulo 2^32. The base has one value for as long as the function runs,
 * and is PROGRAM_NONE where the value is the number itself. */
struct origin {
    bool is_known;
    uint32_t base; /* register */
    uint32_t number;
    uint32_t zeros; /* bits of the value that are certainly zero */
};

/* How a register is written in a body. */
struct origin_writer {
    uint32_t count, at;             /* at: the place of the last statement that may write it */
    bool may;                       /* one of them need not, or does it later */
    bool is_known_to_cycle, cycles; /* cycles: it may run again, once that was searched for */
};

/* What the statement that writes a register computes, once it has been read. */
struct origin_step;

struct origins {
    const struct program *program;
    struct origin_writer *writers; /* by register */
    struct origin_step *steps;     /* by register */
    uint8_t *seen;                 /* by block: found on this search */
    uint32_t avoided;              /* the search was for paths past the block that starts with this
                                      instruction; PROGRAM_NONE: for another question */
    uint32_t holder;               /* a block that held a place */
    struct VEC(uint32_t) todo;     /* blocks found, and not continued from */
    uint64_t work_left;
};

/* Of a program that was read; release with origins_free. */
void origins_begin(struct origins *origins, const struct program *program);
void origins_free(struct origins *origins);

/* What the register holds where the statement at that place in the text reads it. */
struct origin origins_of(struct origins *origins, uint32_t reg, uint32_t at);

/* Reads `name` or a number at *pos, and moves past it: a register with a name that means the same
 * everywhere in the function, else PROGRAM_NONE and a number of 32 bits. False when it is neither.
 */
bool origin_read_operand(const struct program *program, uint32_t *pos, uint32_t *reg,
                         uint32_t *number);

#endif
