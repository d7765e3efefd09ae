/* Keeps a set of handovers as bits and as a list. See handover_set.h. */
#include "lint/handover_set.h"

#include <string.h>

#include "base/sorted.h"

struct handover_set handover_set_new(const struct lint *lint)
{
    uint32_t count = lint->handovers->count;
    return (struct handover_set){arena_alloc(lint->arena, count / 64 + 1, sizeof(uint64_t)),
                                 arena_room(lint->arena, count, sizeof(uint32_t)), 0};
}

void handover_set_clear(const struct lint *lint, struct handover_set *set)
{
    memset(set->bits, 0, (lint->handovers->count / 64 + 1) * sizeof *set->bits);
    set->count = 0;
}

void handover_set_add(struct handover_set *set, uint32_t handover)
{
    set->bits[handover / 64] |= 1ULL << (handover % 64);
    set->at[set->count++] = handover;
}

struct handovers_near handover_set_near(const struct lint *lint, const struct handover_set *set,
                                        uint32_t instr)
{
    enum { NEAR = 8 };
    lint_spend(lint, 1);
    if (set->count <= NEAR) return (struct handovers_near){set->at, set->count, true};
    uint32_t end = sorted_find(set->at, 0, set->count, handover_from(lint->handovers, instr));
    uint32_t near = end < NEAR ? end : NEAR;
    return (struct handovers_near){set->at + end - near, near, false};
}
