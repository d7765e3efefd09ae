/* What may go from one function: the rules asked until none has anything more to propose. */
#ifndef PTXOPT_ENGINE_PLAN_H
#define PTXOPT_ENGINE_PLAN_H

#include "engine/keeps.h"
#include "engine/missing.h"
#include "order/pressure.h"
#include "rules/rule.h"

/* An instruction that an argument names; NO_WITNESS and no place when there is none, or it was too
 * far to look. */
struct plan_ground {
    uint32_t instr;
    struct plan_place place;
};

/* What the argument for a deletion names beside the verdict's witness. */
struct plan_grounds {
    bool others;               /* on another path it may be another instruction … */
    bool entry;                /* … or the entry of the kernel */
    struct plan_ground need;   /* behind the witness: who needs what that orders … */
    enum reason why;           /* … and for what */
    struct plan_ground reader; /* of a wait::ld: reads a loaded register before the witness */
    struct span reg;           /* … as the load spells it; empty: not known */
    struct plan_ground before; /* the last operation that the deleted one was to order */
    struct plan_ground second; /* behind it, a pair with the witness, or with what a wait is for */
    struct plan_ground commit; /* … and what publishes them */
};

/* An answer: rule proposes (reason REASON_NONE) or declines the candidate instr. */
struct decision {
    uint32_t instr;
    uint64_t id; /* see engine/id.h */
    const struct rule *rule;
    struct verdict verdict;
    struct plan_place place, witness; /* the candidate; the verdict's witness, if it has one */
    /* Of a candidate: see engine/inlined.h. In arena. */
    const struct loc_place *inlined;
    uint32_t inlined_count;
    struct loc_place
        witness_origin; /* of a step that is the witness; line 0: not known, not asked */
    /* Of a deletion, when asked for: what is ordered and by what instead, in this order. A few of
     * the operations are named, the nearest; more_operations counts the others. In arena. */
    struct plan_step *steps;
    uint32_t step_count, more_operations;
    const struct plan_grounds *grounds; /* … and what else the argument rests on. In arena. */
    const struct directive *keeper;     /* of REASON_KEPT_BY_COMMENT: that comment */
    const char *why;                    /* of REASON_REGISTERS: as of struct given_up */
    /* Of a deletion that was made: see text/edit.h. */
    struct span replaced;
    int32_t shift;
    bool wide;               /* on the paths where branches agree, or past columns that are apart */
    struct pressure_at live; /* of a wait::ld that is deleted, when asked for */
};

struct decision_list VEC(struct decision);

/* An instruction that orders, or is ordered. */
struct plan_operation {
    struct span span; /* with its guard */
    uint8_t effect;   /* enum effect */
};

/* What the caller allows. ids: as id_build gives them; NULL only: all that skip does not name. */
struct plan_options {
    uint32_t rules, assumptions; /* bits 1 << index; bits of enum assumption */
    const uint64_t *only, *skip;
    uint32_t only_count, skip_count;
    const struct given_up *given_up;
    uint32_t given_up_count;
    bool steps;                         /* fill the steps of deletions, and the operations */
    bool estimates;                     /* fill what is live; all uses are kept */
    const struct missing_list *missing; /* what an error or warning in it names stays */
    struct keeps *keeps;                /* so does what a comment keeps; NULL: there are none */
};

/* Of one function; nothing in it points into the view. */
struct function_plan {
    struct str name; /* in the source */
    struct span span;
    const char *skipped, *skipped_why; /* the function is left alone: a stable word, a sentence */
    uint32_t skipped_at;               /* byte offset */
    struct decision_list deleted;      /* in order of place */
    struct decision_list declined;     /* every rule's last word on each candidate that stays */
    struct decision_list advice;
    struct missing_list missing;           /* what lint found, when asked for; in order of place */
    struct VEC(struct plan_place) unknown; /* instructions that are not known */
    struct VEC(struct plan_operation) operations; /* when asked for; in order of place */
    uint32_t instructions, tcgen05, candidates;
    struct pressure_at live; /* the most, when asked for; 0: not known */
};

/* Plans for function what options allow. Lists are on the heap: free with plan_free; the rest is in
 * arena. What it works with is given back.
 *
 * Rule after rule is asked about all candidates of a kind at once; what a rule proposes is judged
 * again with all of it gone, so that no two deletions justify each other. The rounds end when a
 * whole one proposes nothing, so a second run on the output finds nothing either. */
void plan_build(struct function_plan *plan, const struct view *view,
                const struct function *function, const struct plan_options *options,
                struct arena *arena);

/* Takes all deletions back, for the stable word reason ("internal": the checker could not prove
 * them) and the sentence why. */
void plan_revert(struct function_plan *plan, const char *reason, const char *why);

/* Takes those back that rest on which branches agree, and says of them what holds on all paths: the
 * checker knows that in its own way, and need not see the same. False when there are none. */
bool plan_revert_wide(struct function_plan *plan);

void plan_free(struct function_plan *plan);

#endif
