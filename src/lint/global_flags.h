/* Flags and counters in global memory, and the memory that they hand over. Memory is told apart by
 * the kernel parameter that leads to it. */
#ifndef PTXOPT_LINT_GLOBAL_FLAGS_H
#define PTXOPT_LINT_GLOBAL_FLAGS_H

#include "lint/global_root.h"

enum { GLOBAL_ROOTS_MAX = 16 };
#define NO_ROOT UINT32_MAX

/* What an access does to memory that may be handed over. A flag is read and written with stronger
 * than weak semantics; atom may do both. */
enum global_role {
    GLOBAL_STORES = 1,  /* st, not of a flag */
    GLOBAL_READS = 2,   /* ld or a copy to shared memory, not of a flag */
    GLOBAL_SIGNALS = 4, /* a flag is set */
    GLOBAL_WAITS = 8    /* a flag is read */
};

struct global_flags {
    struct lint *lint;
    struct global_accesses all;
    uint8_t *roles;                     /* by index in all: bits of enum global_role */
    uint32_t *root_of;                  /* by index in all: the number of its root, or NO_ROOT */
    uint32_t roots;                     /* at most GLOBAL_ROOTS_MAX: further ones have no number */
    uint8_t roles_at[GLOBAL_ROOTS_MAX]; /* by root: those of all its accesses */
};

/* For an entry function. Free it with global_flags_free. */
struct global_flags global_flags_find(struct lint *lint);
void global_flags_free(struct global_flags *flags);

/* The index in all; all.count: the instruction does not access global memory. */
uint32_t global_flags_at(const struct global_flags *flags, uint32_t instr);

/* A thread may access the root `from` in the role `first`, and after that the root `to` in the role
 * `then`. May be false if there are very many accesses. */
bool global_flags_follow(const struct global_flags *flags, uint32_t from, enum global_role first,
                         uint32_t to, enum global_role then);

#endif
