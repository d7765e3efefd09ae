/* What may go from one function: the rules asked until none has anything more to propose. */
#ifndef PTXOPT_ENGINE_PLAN_H
#define PTXOPT_ENGINE_PLAN_H

#include "rules/rule.h"

/* An answer: rule proposes (reason REASON_NONE) or declines the candidate instr. */
struct decision {
    uint32_t instr;
    const struct rule *rule;
    struct verdict verdict;
};

struct decision_list VEC(struct decision);

struct function_plan {
    const struct function *function;
    struct cfg cfg;
    const char *skipped, *skipped_why; /* the function is left alone: a stable word, a sentence */
    uint32_t skipped_at;               /* byte offset */
    struct decision_list deleted;      /* in order of place */
    struct decision_list declined;     /* every rule's last word on each candidate that stays */
    struct decision_list advice;
    uint32_t candidates;
};

/* Plans for function with the rules whose bits (1 << index) are set. Lists are on the heap: free
 * with plan_free; the rest is in arena.
 *
 * One site at a time goes, each against the program already thinned, so that no two deletions
 * justify each other; the rounds end when a whole one proposes nothing, so a second run on the
 * output finds nothing either. */
void plan_build(struct function_plan *plan, const struct view *view,
                const struct function *function, uint32_t rules, uint32_t assumptions,
                struct arena *arena);

/* Takes all deletions back: the checker could not prove them. */
void plan_revert(struct function_plan *plan, const char *why);

void plan_free(struct function_plan *plan);

#endif
