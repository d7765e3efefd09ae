/* Whether a loop arms the mbarriers of a ring more often than the ring has mbarriers. */
#ifndef PTXOPT_LINT_RING_ROUNDS_H
#define PTXOPT_LINT_RING_ROUNDS_H

#include "lint/lint.h"
#include "lint/round_loop.h"
#include "value/barriers.h"
#include "value/conditions.h"

/* Whether the loop goes on after as many iterations as the ring has mbarriers, as far as constants
 * decide that, and each iteration arms the next one. A ring of unknown size counts as one of four.
 * loop: by block, the loop around armed. */
enum truth ring_rounds_wrap(const struct lint *lint, const struct barrier_use *armed,
                            const bool *loop);

/* Each iteration of the loop arms another mbarrier, since the address grows with the counter of the
 * iterations. loop: as above. */
bool ring_rounds_go_on(const struct lint *lint, const struct barrier_use *armed, const bool *loop);

/* The instruction is executed at most once for each mbarrier: no loop is around it, or only one
 * whose iterations are for others. l: its loop is found anew. */
bool ring_rounds_once(const struct lint *lint, struct round_loop *l, const struct barrier_use *use);

/* The loop reaches the same mbarrier again: a register of its address is set back, or an operation
 * such as a mask or a remainder keeps the index below a bound. base: of the address; loop: by
 * block. */
bool ring_rounds_may_turn(const struct lint *lint, uint32_t base, const bool *loop);

#endif
