/* Which loads and stores of tensor memory touch no cell that one in flight touches (doc/model.md,
 * section 5, "Other columns"). */
#ifndef PTXOPT_ORDER_APART_H
#define PTXOPT_ORDER_APART_H

#include "order/analysis.h"

/* The ranges of a function's loads and stores, found when first needed, and what was found
 * last. What is not in arena is freed by apart_free. */
struct apart *apart_create(const struct view *view, const struct cfg *cfg, struct arena *arena);

/* sites: waits of one kind. Those that are not declined yet count as removed, together with
 * the removed ones. From then on apart_passes says of each ld and st whether its cells are apart
 * from those of every access of the waits' kind that may be in flight there. Time: instructions
 * plus edges, times the different ranges of the function by 64, at most 16. */
void apart_find(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                const struct verdict *verdicts);

/* Instruction i is one of those. */
bool apart_passes(const struct analysis *analysis, uint32_t i);

/* Until the next apart_find each of them is. */
void apart_allow_all(const struct analysis *analysis);

/* Records which of the sites rely on such an access: those that passed and that are not
 * declined. Of the function itself only, not of the paths where branches agree. */
void apart_note(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                const bool *passed, const struct verdict *verdicts);

/* Instruction i of the function has been one of them. Constant time. */
bool apart_is_noted(const struct analysis *analysis, uint32_t i);

/* The columns that two loads or stores touch at most: [first, first + count), counted from the one
 * address that both add a number to, or where is_absolute from column 0 of tensor memory. */
struct apart_columns {
    int32_t first[2];
    uint32_t count[2];
    bool is_absolute;
};

/* Fills columns and returns true if instructions a and b of the function are known to be apart. */
bool apart_columns_of(const struct analysis *analysis, uint32_t a, uint32_t b,
                      struct apart_columns *columns);

void apart_free(struct apart *apart);

#endif
