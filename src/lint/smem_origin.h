/* The place of shared memory that an address is computed from. The address is traced through sums,
 * shifts and masks, matrix descriptors, and registers that a loop changes. */
#ifndef PTXOPT_LINT_SMEM_ORIGIN_H
#define PTXOPT_LINT_SMEM_ORIGIN_H

#include "lint/lint.h"
#include "value/conditions.h"

enum {
    SMALL_SWIZZLE = 1024, /* an xor with less than this only permutes data within a tile */
    DESCRIPTOR_ADDRESS = (1 << 14) - 1 /* the field of a descriptor, in units of 16 bytes */
};

/* The origin of a value. */
struct smem_origin {
    bool known;
    uint32_t base; /* base of a struct value; 0: the value contains no address */
    int64_t at;    /* offset from base, in units of 1 << shift bytes */
    int64_t low;   /* lower bound of what a thread adds to at, in the same units */
    uint32_t shift;
    bool lanes, moves, around;
    bool ring;    /* a number that changes is set back to a constant: a stage of a ring */
    int64_t back; /* `at` in the iteration in which it is set back; otherwise equal to `at` */
};

/* The cached origin of a base, for the threads of a set; set: its number, SMEM_ANY_SET if the
 * origin is the same for all sets, or 0 if nothing is cached. */
#define SMEM_ANY_SET UINT32_MAX
struct smem_traced {
    uint32_t set;
    bool from_here; /* it holds only for a trace that no register has led to */
    struct smem_origin origin;
};

struct smem_tracing {
    const struct lint *lint;
    bool *open; /* by register: it is being traced */
    uint32_t open_count;
    uint32_t steps;
    const struct condition_set *set; /* conditions of the threads that reach the access */
    uint32_t set_number;             /* number of the set, from 1 on */
    struct smem_traced *traced;      /* by base of a struct value */
    uint32_t traced_count;
    uint32_t asked_set; /* how often an origin depended on the set */
    uint32_t met_open;  /* how often a register that is being traced was met again */
};

/* Sets lint->tracing, in lint->arena, unless it is already set. */
void smem_origins_begin(struct lint *lint);

struct smem_origin smem_origin_of(struct smem_tracing *t, uint32_t instr, uint32_t operand);

/* The same for a value that is not an operand of the instruction. */
struct smem_origin smem_origin_of_value(struct smem_tracing *t, uint32_t instr, struct value v);

#endif
