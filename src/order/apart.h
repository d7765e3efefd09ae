/* Finds the loads and stores of tensor memory whose cells no operation in flight accesses
 * (doc/model.md, section 5, "Other columns"). */
#ifndef PTXOPT_ORDER_APART_H
#define PTXOPT_ORDER_APART_H

#include "order/analysis.h"

/* Prepares the data of a function; its ranges are computed when they are first needed. view, cfg
 * and arena are borrowed. apart_free frees the memory that is not in arena. */
struct apart *apart_create(const struct view *view, const struct cfg *cfg, struct arena *arena);

/* sites: waits of one kind, ascending, at least one. The sites that are not declined yet count as
 * removed, in addition to the removed instructions. Sets the result of apart_passes: for each ld
 * and st, whether its cells are apart from those of every access of the waits' kind that may be in
 * flight there. Time: (instructions + edges) * (number of different ranges / 64, at most 16). */
void apart_find(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                const struct verdict *verdicts);

/* The last apart_find has found instruction i to be apart, or apart_allow_all was called since. */
bool apart_passes(const struct analysis *analysis, uint32_t i);

/* Makes apart_passes true for every instruction until the next apart_find. */
void apart_allow_all(const struct analysis *analysis);

/* Notes the sites that passed such an access and are not declined. Has no effect for the unfolded
 * function (flow/unfold.h), which has copies of instructions. */
void apart_note(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                const bool *passed, const struct verdict *verdicts);

/* apart_note has noted instruction i. Constant time. */
bool apart_is_noted(const struct analysis *analysis, uint32_t i);

/* The most columns that two loads or stores may access: [first, first + count), relative to the
 * address to which both add a constant; with is_absolute, relative to column 0 of tensor memory. */
struct apart_columns {
    int32_t first[2];
    uint32_t count[2];
    bool is_absolute;
};

/* Fills columns and returns true if the ranges of instructions a and b of the function are proven
 * to be apart. */
bool apart_columns_of(const struct analysis *analysis, uint32_t a, uint32_t b,
                      struct apart_columns *columns);

void apart_free(struct apart *apart);

#endif
