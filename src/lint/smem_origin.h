/* The place of shared memory that an address is made from. It is followed back through what
 * computes it: through sums, shifts and masks, matrix descriptors, registers that a loop
 * changes. */
#ifndef PTXOPT_LINT_SMEM_ORIGIN_H
#define PTXOPT_LINT_SMEM_ORIGIN_H

#include "lint/lint.h"
#include "value/conditions.h"

enum {
    SMALL_SWIZZLE = 1024,              /* an exclusive or below that only permutes within a tile */
    DESCRIPTOR_ADDRESS = (1 << 14) - 1 /* the field of a descriptor, in units of 16 bytes */
};

/* Where a value comes from. */
struct smem_origin {
    bool known;
    uint32_t base; /* of a value; 0: no address is in it */
    int64_t at;    /* in units of 1 << shift bytes */
    int64_t low;   /* so much more for any thread that comes there, in the same units */
    uint32_t shift;
    bool lanes, moves, around;
    bool ring;    /* what moves is set back to a constant: a stage of a ring */
    int64_t back; /* `at` of the round in which it has been set back; where none is, `at` */
};

/* What a base was found to come from, for the threads of that set. */
struct smem_traced {
    uint32_t set;
    struct smem_origin origin;
};

struct smem_tracing {
    const struct lint *lint;
    uint32_t *first;           /* by register: the use that writes it */
    uint32_t *next, *instr_of; /* by use */
    bool *open;                /* by register: on the way here */
    uint32_t steps;
    const struct condition_set *set; /* of the threads that come to the access */
    uint32_t set_number;             /* of the set, from 1 on */
    struct smem_traced *traced;      /* by base of a value */
    uint32_t traced_count;
    uint32_t met_open; /* how often a register on the way was met again */
};

/* Sets lint->tracing, in lint->arena, unless it is set. */
void smem_origins_begin(struct lint *lint);

struct smem_origin smem_origin_of(struct smem_tracing *t, uint32_t instr, uint32_t operand);

/* … of what the instruction depends on, when that is not an operand. */
struct smem_origin smem_origin_of_value(struct smem_tracing *t, uint32_t instr, struct value v);

#endif
