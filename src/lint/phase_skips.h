/* Simulates the first rounds of each loop, and finds a thread that begins a phase of the same
 * mbarrier again before it has executed any wait that shows that the last phase was seen. A wait
 * that returns at once, because its mbarrier is new, shows nothing. */
#ifndef PTXOPT_LINT_PHASE_SKIPS_H
#define PTXOPT_LINT_PHASE_SKIPS_H

#include "base/vec.h"
#include "lint/lint.h"
#include "value/barriers.h"

enum { PHASE_SKIPS_MAX = 16 };

/* A commit or arrive.expect_tx that alone completes the arrivals of a phase, in a loop. */
struct phase_skip {
    const struct barrier_use *armed;
    uint32_t waiter; /* a wait for the phase */
    bool *told;      /* by use of an mbarrier: a wait that may show that the phase was seen */
    uint32_t waits;  /* how many of these the simulated threads have executed */
    uint32_t before; /* how many of these before the current thread */
    uint32_t passed; /* the last of these that has returned at once, since the last phase began;
                        NO_INSTR: none */
};

struct phase_skips {
    struct phase_skip at[PHASE_SKIPS_MAX];
    uint32_t count;
};

/* Reports as findings of code those of `skips` whose thread skips all such waits. */
void phase_skips_report(struct lint *lint, const struct lint_code *code, struct phase_skips *skips);

#endif
