/* Finds the kernel parameter that leads to the global memory that an instruction accesses. */
#ifndef PTXOPT_LINT_GLOBAL_ROOT_H
#define PTXOPT_LINT_GLOBAL_ROOT_H

#include "lint/smem_origin.h"

/* The parameter, by its name's value and the bytes after it: a pointer, or a tensor map; or a
 * variable in global memory. */
struct global_root {
    bool known;
    uint32_t base;
    int64_t offset;
};

enum global_kind {
    GLOBAL_NONE,
    GLOBAL_LOAD,    /* ld that does not exclude other writers */
    GLOBAL_LOAD_NC, /* ld.global.nc: no thread writes there while the kernel runs */
    GLOBAL_COPY,    /* cp.async, bulk copies: to shared memory */
    GLOBAL_WRITE,   /* st, red, atom, bulk stores and reductions */
};

struct global_access {
    uint32_t instr;
    enum global_kind kind;
    struct global_root root;
};

struct global_accesses VEC(struct global_access);

/* Those with an address in no other state space: an address without one counts when it comes from
 * a parameter. Prefetches are none. In the order of the text; for vec_free. */
struct global_accesses global_accesses_find(struct lint *lint);

/* Both are known, and the same. */
bool global_roots_same(const struct global_root *a, const struct global_root *b);

#endif
