/* Finds launches in which no thread waits for the commit of an mma before its columns are
 * freed. */
#ifndef PTXOPT_LINT_DEALLOC_UNSEEN_H
#define PTXOPT_LINT_DEALLOC_UNSEEN_H

#include "lint/walk.h"
#include "value/conditions.h"

struct unseen {
    const bool *waits; /* by handover: it may be a wait for a commit after the mma */
    uint32_t dealloc;
};

/* Whether a thread can reach one of the waits under the conditions. Most mma of a kernel ask the
 * same. */
struct unseen_answer {
    struct unseen asked;       /* the context of ends */
    struct walk_question ends; /* for a path to the end, or the dealloc, without such a wait */
    const bool *waits;         /* by handover; NULL: not asked yet */
    struct condition_set common;
    bool reached;
};

/* Reports the dealloc as a finding of code if two things hold: the thread of the mma can end, or
 * reach the dealloc, without a wait for a commit after the mma; and under the conditions of that
 * path that are the same for the whole CTA, no thread can reach such a wait. *last is kept from
 * call to call, and zero at first; then call walk_question_end for last->ends. */
void dealloc_unseen_report(struct lint *lint, const struct lint_code *code, uint32_t dealloc,
                           uint32_t mma, struct unseen_answer *last);

#endif
