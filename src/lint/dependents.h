/* The instructions that what a tcgen05.ld loads reaches. */
#ifndef PTXOPT_LINT_DEPENDENTS_H
#define PTXOPT_LINT_DEPENDENTS_H

#include "lint/lint.h"

/* Of the registers that one load writes, by their place in its list; those from the last bit on
 * share it. */
enum { LOADED_WORDS = 2, LOADED_MAX = LOADED_WORDS * 64 };
struct loaded_set {
    uint64_t bits[LOADED_WORDS];
};

/* Which instructions read each register, and what one load reaches: for one after the other. */
struct dependents;

struct dependents *dependents_build(struct lint *lint);
void dependents_free(struct dependents *dependents);

/* From now on the answers are about the load at instr. */
void dependents_follow(struct dependents *dependents, uint32_t instr);

/* Some instruction reads something of it. */
bool dependents_any(const struct dependents *dependents);

/* All that the load writes. */
struct loaded_set dependents_all(const struct dependents *dependents);

/* Those whose value instr reads, by itself or through arithmetic: on some path, whatever else the
 * registers between hold on others. */
struct loaded_set dependents_read_by(const struct dependents *dependents, uint32_t instr);

/* Along a path of walk.h that begins with a load: true when a value of the load was written to
 * memory on it, or is in what its last instruction reads. */
bool dependents_reach(struct dependents *dependents, const uint32_t *path, uint32_t count);

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

/* Sets that paths have met: the state of a path is the index of its set. */
struct loaded_sets VEC(struct loaded_set);

/* The set's place, where it is put if it is not there. */
uint32_t loaded_sets_place(struct loaded_sets *sets, const struct loaded_set *set);

static inline bool loaded_set_is_empty(const struct loaded_set *set)
{
    for (int i = 0; i < LOADED_WORDS; i++)
        if (set->bits[i]) return false;
    return true;
}

#endif
