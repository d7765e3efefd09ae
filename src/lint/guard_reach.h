/* Finds what later guards depend on. A condition of a path that no later guard depends on decides
 * nothing any more, so paths that differ only in it can be followed as one. */
#ifndef PTXOPT_LINT_GUARD_REACH_H
#define PTXOPT_LINT_GUARD_REACH_H

#include "lint/lint.h"

struct path_stops;

/* A leaf is a register, or the result of a load that may change. Each leaf has a bit in a word;
 * leaves may share a bit. */
enum { LEAF_BITS = 63 };

static inline uint64_t leaf_bit(uint32_t web_or_instr)
{
    return 1ULL << web_or_instr % LEAF_BITS;
}

/* Returns, by block and in lint->arena, the bits of all leaves whose current value may decide a
 * guard at the beginning of the block or after it. matters: by web, it may change and a guard
 * depends on it. */
uint64_t *guard_reach_build(const struct lint *lint, const struct path_stops *stops,
                            const bool *matters);

#endif
