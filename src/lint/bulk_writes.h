/* Finds the writes of shared memory that may overlap what a bulk store reads. Stores from the same
 * slot have the same writes, which are found once for all of them. */
#ifndef PTXOPT_LINT_BULK_WRITES_H
#define PTXOPT_LINT_BULK_WRITES_H

#include "base/intern.h"
#include "lint/bulk_slot.h"
#include "lint/smem_meetings.h"

/* Of the stores that read one place. */
struct bulk_writes {
    uint32_t number;     /* from 0, in the order of the first question */
    uint32_t *at, count; /* indices of places, ascending */
    /* Likewise the last one of each block and set of conditions: if control reaches another one of
     * these from somewhere, it reaches the last one, too. */
    uint32_t *lasts, last_count;
    /* For the caller: which of its signals release a write, and how many of them it has examined.
     */
    struct item_list releases;
    uint32_t examined;
};

struct bulk_stores {
    struct smem_places places;
    const struct smem_meetings *meetings;
    struct intern keys;
    struct VEC(struct bulk_writes) writes; /* by number in keys */
};

struct bulk_stores bulk_stores_begin(struct lint *lint);
void bulk_stores_end(struct bulk_stores *stores);

/* The writes for the store, whose address is in the slot. Valid until the next call. */
struct bulk_writes *bulk_writes_of(const struct lint *lint, struct bulk_stores *stores,
                                   const struct smem_place *store, const struct bulk_slot *slot);

/* The write of the instruction that is among them; NULL: none. */
const struct smem_place *bulk_write_at(const struct bulk_stores *stores,
                                       const struct bulk_writes *writes, uint32_t instr);

/* The index in lasts of the first one at or behind the instruction: mostly control reaches it, so
 * that searches from there end soon. */
uint32_t bulk_writes_behind(const struct bulk_stores *stores, const struct bulk_writes *writes,
                            uint32_t instr);

/* The write number i (i < last_count) from that index on; those before it come at the end. */
const struct smem_place *bulk_write_from(const struct bulk_stores *stores,
                                         const struct bulk_writes *writes, uint32_t first,
                                         uint32_t i);

#endif
