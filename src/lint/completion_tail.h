/* The part of completion-untracked that searches paths on which a thread ends after an mma without
 * a commit. */
#ifndef PTXOPT_LINT_COMPLETION_TAIL_H
#define PTXOPT_LINT_COMPLETION_TAIL_H

#include "lint/handover.h"
#include "lint/renewals.h"
#include "lint/walk.h"

/* What all calls share: the loads, and what the paths behind the mma asked about last have shown.
 * Zero at first, and kept from call to call; then call walk_question_end for its question. */
struct tail_paths {
    uint32_t *loads, load_count; /* indices in handovers->ops; NULL: not found yet */
    uint8_t *ends;               /* by handover: whether it ends a path; in lint->arena */
    /* What decides the ends of the last mma: the waits before its loads and the handovers behind
     * it, as bit sets in lint->arena, NULL at first, and the number of its conditions. */
    uint64_t *before, *own;
    uint32_t conditions;
    bool likely, ended; /* struct tail: likely; the result of find_ends */
    struct walk_question question;
};

/* Reports the mma as a finding of code if other threads load its accumulator, and a path leads from
 * it to the end of the kernel on which its thread neither commits to an mbarrier that the loading
 * threads wait for nor waits for a commit that tracks it. Calls renewals_begin. */
void completion_tail_report(struct lint *lint, const struct lint_code *code,
                            const struct tensor_op *mma, struct renewals *renewals,
                            struct tail_paths *paths);

#endif
