/* Arrivals of threads at mbarriers: those that a thread comes to, for proxy-fence-missing. */
#ifndef PTXOPT_LINT_OWN_ARRIVALS_H
#define PTXOPT_LINT_OWN_ARRIVALS_H

#include "lint/lint.h"
#include "value/barriers.h"

enum { OWN_ARRIVALS_MAX = 16 };

/* Each once, of at most that many. */
struct own_arrivals {
    const struct barrier_use *at[OWN_ARRIVALS_MAX];
    uint32_t count;
};

/* The arrivals that a thread comes to after an instruction. */
struct own_arrivals_end {
    uint32_t instr;
    bool *reached;    /* by use of an mbarrier: it comes to this arrival; in lint->arena */
    uint32_t awaited; /* how many may still be found */
};

struct own_arrivals_ends VEC(struct own_arrivals_end);

/* The thread arrives there itself: no commit or copy does for it. */
bool own_arrivals_is(const struct barrier_use *use);

void own_arrivals_note(struct own_arrivals *all, const struct barrier_use *use);

/* The wait may be for one of them. */
bool own_arrivals_may_have(const struct lint *lint, const struct own_arrivals *all,
                           const struct barrier_use *wait);

/* No other arrives in the same phase: it waits for one arrival, or there is no other. */
bool own_arrivals_alone(const struct lint *lint, const struct barrier_use *arrival);

/* By use of an mbarrier: a thread comes to this arrival after instr. Found once for each
 * instruction; ends is for vec_free. */
const bool *own_arrivals_behind(const struct lint *lint, struct own_arrivals_ends *ends,
                                uint32_t instr);

#endif
