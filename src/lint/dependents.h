/* The instructions that depend on the registers of a tcgen05.ld. */
#ifndef PTXOPT_LINT_DEPENDENTS_H
#define PTXOPT_LINT_DEPENDENTS_H

#include "lint/lint.h"

/* A set of the registers that one load writes, by index in its list. Registers from index
 * LOADED_MAX - 1 on share the last bit. */
enum { LOADED_WORDS = 2, LOADED_MAX = LOADED_WORDS * 64 };
struct loaded_set {
    uint64_t bits[LOADED_WORDS];
};

/* The dependents of one load at a time. In the arena of lint, except what dependents_free frees. */
struct dependents;

struct dependents *dependents_build(struct lint *lint);
void dependents_free(struct dependents *dependents);

/* Selects the load at instr: the functions below answer for it. */
void dependents_follow(struct dependents *dependents, uint32_t instr);

/* Some instruction reads a register that depends on the load. */
bool dependents_any(const struct dependents *dependents);

/* The set of all registers that the load writes. */
struct loaded_set dependents_all(const struct dependents *dependents);

/* The registers of the load whose value instr may read, directly or through computations, on some
 * path. Writes to the registers on other paths do not count. */
struct loaded_set dependents_read_by(const struct dependents *dependents, uint32_t instr);

/* path: count instructions as in struct walk_path, beginning with a load. True if, on this path, an
 * instruction that does not only compute reads a value that depends on the load. */
bool dependents_reach(struct dependents *dependents, const uint32_t *path, uint32_t count);

/* path: *count instructions as in struct walk_path, beginning with the load that is followed. The
 * same path with two more instructions, in arena: the first and the last one after which one more
 * register of the load has been read by an instruction that does not only compute. Both may be the
 * same, or missing. */
const uint32_t *dependents_path(const struct dependents *dependents, const uint32_t *path,
                                uint32_t *count);

static inline bool loaded_set_covers(const struct loaded_set *a, const struct loaded_set *b)
{
    for (int i = 0; i < LOADED_WORDS; i++)
        if (b->bits[i] & ~a->bits[i]) return false;
    return true;
}

static inline bool loaded_set_add(struct loaded_set *set, const struct loaded_set *more)
{
    bool grew = !loaded_set_covers(set, more);
    for (int i = 0; i < LOADED_WORDS; i++) set->bits[i] |= more->bits[i];
    return grew;
}

static inline uint32_t loaded_set_count(const struct loaded_set *set)
{
    uint32_t count = 0;
    for (int i = 0; i < LOADED_WORDS; i++) count += (uint32_t)__builtin_popcountll(set->bits[i]);
    return count;
}

/* The sets found on paths; the state of a path is the number of its set. Zero-initialise it before
 * the first use. */
struct loaded_sets {
    struct VEC(struct loaded_set) all; /* by number */
    uint32_t *slots;                   /* by hash: the number of a set plus 1; 0: an empty slot */
    uint32_t cap;                      /* of slots: 0, or a power of two */
};

/* The number of the set; it is added if it is new. */
uint32_t loaded_sets_place(struct loaded_sets *sets, const struct loaded_set *set);

void loaded_sets_clear(struct loaded_sets *sets);
void loaded_sets_free(struct loaded_sets *sets);

static inline bool loaded_set_is_empty(const struct loaded_set *set)
{
    for (int i = 0; i < LOADED_WORDS; i++)
        if (set->bits[i]) return false;
    return true;
}

#endif
