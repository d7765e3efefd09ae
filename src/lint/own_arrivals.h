/* Finds the mbarrier arrivals that a thread reaches, for the code proxy-fence-missing. */
#ifndef PTXOPT_LINT_OWN_ARRIVALS_H
#define PTXOPT_LINT_OWN_ARRIVALS_H

#include "lint/lint.h"
#include "value/barriers.h"

enum { OWN_ARRIVALS_MAX = 16 };

/* Different arrivals. own_arrivals_note ignores an arrival if the list is full. */
struct own_arrivals {
    const struct barrier_use *at[OWN_ARRIVALS_MAX];
    uint32_t count;
};

/* The arrivals that a thread reaches after an instruction. */
struct own_arrivals_end {
    uint32_t instr;
    bool *reached;    /* by use of an mbarrier: the use is an arrival that the thread reaches; in
                         lint->arena */
    uint32_t awaited; /* the number of arrivals that control may reach and that the search has not
                         found yet */
};

struct own_arrivals_ends VEC(struct own_arrivals_end);

/* The thread itself arrives: the use is not a commit or a copy, which arrives later on its behalf.
 */
bool own_arrivals_is(const struct barrier_use *use);

void own_arrivals_note(struct own_arrivals *all, const struct barrier_use *use);

/* What a walk may still come to, as numbers that the caller chooses. Zero at first. */
struct awaited {
    uint32_t at[4 * OWN_ARRIVALS_MAX], count;
    bool more; /* there is more than the list has room for, or that has no number */
};

void awaited_add(struct awaited *awaited, uint32_t number);

/* The walk has come to it. */
void awaited_meet(struct awaited *awaited, uint32_t number);

/* The wait may be for one of the arrivals. */
bool own_arrivals_may_have(const struct lint *lint, const struct own_arrivals *all,
                           const struct barrier_use *wait);

/* No other thread arrives in the same phase: the mbarrier expects one arrival, or the function has
 * no other arrival at it. */
bool own_arrivals_alone(const struct lint *lint, const struct barrier_use *arrival);

/* Returns an array by use of an mbarrier: the use is an arrival that a thread reaches after instr.
 * Computed once for each instruction; the caller frees *ends with vec_free, but the array is in
 * lint->arena. */
const bool *own_arrivals_behind(const struct lint *lint, struct own_arrivals_ends *ends,
                                uint32_t instr);

#endif
