/* The visits that walks have made, by place: the block, the next instruction and the state. A path
 * ends where another one was with the same conditions or fewer; and of a question, what is to be
 * found behind a visit is remembered for later walks. */
#ifndef PTXOPT_LINT_WALK_VISITS_H
#define PTXOPT_LINT_WALK_VISITS_H

#include "lint/lint.h"

/* A visit. */
struct made {
    uint64_t bits; /* path_condition_bits of the set */
    uint32_t set;  /* the conditions: the number of a path_condition */
    uint32_t block, at;
    unsigned state;
    uint32_t before; /* the visit to the same place before it, or NO_VISIT */
    bool vague;      /* the walk has dropped a condition */
    bool leads;      /* of a remembered visit: a path finds something; otherwise none does */
};

#define NO_VISIT UINT32_MAX

struct met;

struct visits {
    struct VEC(struct made) made;
    struct met *met; /* a hash table of the places */
    uint32_t met_cap, met_count, stamp;
};

/* places: room for about half as many before the table grows; a power of two. visits_free frees
 * the memory. */
void visits_begin(struct visits *visits, uint32_t places);
void visits_free(struct visits *visits);

/* Removes all visits. To be called before the first one. */
void visits_clear(struct visits *visits);

/* Adds the visit. False if an earlier visit to the place, with the same conditions or fewer, goes
 * wherever this one can. */
bool visits_add(const struct lint *lint, struct visits *visits, const struct made *made);

/* Remembers a visit of a walk that has ended; leads: a path from there has found something. At one
 * place only a few are remembered. */
void visits_remember(struct visits *visits, struct made made, bool leads);

enum visits_tell {
    VISITS_UNKNOWN,
    VISITS_END, /* no path from there finds anything */
    VISITS_LEAD /* one does */
};

/* What remembered visits tell about this one. any: VISITS_LEAD may be returned. */
enum visits_tell visits_tell(const struct lint *lint, const struct visits *visits,
                             const struct made *made, bool any);

#endif
