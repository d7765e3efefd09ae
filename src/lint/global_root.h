/* Finds the kernel parameter that leads to the global memory that an instruction accesses. */
#ifndef PTXOPT_LINT_GLOBAL_ROOT_H
#define PTXOPT_LINT_GLOBAL_ROOT_H

#include "lint/smem_origin.h"

/* A kernel parameter that is a pointer or a tensor map, by the value of its name and a byte offset;
 * or a variable in global memory. */
struct global_root {
    bool known;
    uint32_t base;
    int64_t offset;
};

enum global_kind {
    GLOBAL_NONE,
    GLOBAL_LOAD,    /* ld; the memory may be written while the kernel runs */
    GLOBAL_LOAD_NC, /* ld.global.nc: no thread writes the memory while the kernel runs */
    GLOBAL_COPY,    /* cp.async or a bulk copy to shared memory */
    GLOBAL_WRITE,   /* st, red, atom, a bulk store or reduction */
};

struct global_access {
    uint32_t instr;
    enum global_kind kind;
    struct global_root root;
};

struct global_accesses VEC(struct global_access);

/* All accesses to global memory, in the order of the text, for vec_free. An access without a state
 * space is included if its address comes from a parameter. Prefetches are not included. */
struct global_accesses global_accesses_find(struct lint *lint);

/* Both roots are known and equal. */
bool global_roots_same(const struct global_root *a, const struct global_root *b);

/* The address of an operand; for the list [map, {x, y}] of a tensor copy, its first register.
 * VALUE_NONE: unknown. */
struct value global_address_of(const struct lint *lint, uint32_t instr, uint32_t operand);

#endif
