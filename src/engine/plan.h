/* Plans the removals in one function: runs the rules until none has anything more to propose. */
#ifndef PTXOPT_ENGINE_PLAN_H
#define PTXOPT_ENGINE_PLAN_H

#include "engine/keeps.h"
#include "engine/missing.h"
#include "order/apart.h"
#include "order/pressure.h"
#include "rules/rule.h"

/* An instruction that an argument names; NO_WITNESS and no place when there is none, or it was too
 * far to look. */
struct plan_ground {
    uint32_t instr;
    struct plan_place place;
};

/* What the argument for a removal names beside the verdict's witness. */
struct plan_grounds {
    bool others;               /* on another path it may be another instruction … */
    bool entry;                /* … or the entry of the kernel */
    struct plan_ground need;   /* after the witness: what needs what that orders … */
    enum reason why;           /* … and for what */
    struct plan_ground reader; /* of a wait::ld: reads a loaded register before the witness */
    struct span reg;           /* … as the load spells it; empty: not known */
    struct plan_ground before; /* the last operation that the removed one was to order */
    struct plan_ground second; /* after it, a pair with the witness, or with what a wait is for */
    struct plan_ground commit; /* … and what publishes them */
    /* Of a wait, by their columns: one that is in flight, and one that is issued meanwhile. */
    struct plan_ground in_flight, issued;
    struct apart_columns columns; /* … of these two */
};

/* An answer: rule proposes (reason REASON_NONE) or declines the candidate instr. In an order
 * without gaps: a text may have thousands of functions with a decision each. */
struct decision {
    uint64_t id; /* see engine/id.h */
    const struct rule *rule;
    struct verdict verdict;
    struct plan_place place, witness; /* the candidate; the verdict's witness, if it has one */
    uint32_t instr;
    /* Of a candidate: see engine/inlined.h. In arena. */
    const struct loc_place *inlined;
    uint32_t inlined_count;
    struct loc_place
        witness_origin; /* of a step that is the witness; line 0: not known, or not requested */
    /* Of a removal, when requested: what is ordered and by what instead, in this order. A few of
     * the operations are named, the nearest; more_operations counts the others. In arena. */
    struct plan_step *steps;
    uint32_t step_count, more_operations;
    const struct plan_grounds *grounds; /* … and what else the argument rests on. In arena. */
    const struct directive *keeper;     /* of REASON_KEPT_BY_COMMENT: that comment */
    const char *why;                    /* of REASON_REGISTERS: as of struct given_up */
    /* Of a removal that was made: see text/edit.h. */
    struct span replaced;
    int32_t shift;
    bool wide;               /* on the paths where branches agree, or past columns that are apart */
    struct pressure_at live; /* of a wait::ld that is removed, when requested */
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
    bool unexplained; /* declined and advice stay empty, and removals may have a witness that
                       * was removed: nobody asks why */
    bool steps;       /* fill the steps of removals, and the operations */
    bool estimates;   /* fill what is live; all uses are kept */
    const struct missing_list *missing; /* what an error or warning in it names is kept */
    struct keeps *keeps;                /* so is what a comment keeps; NULL: there are none */
};

/* Of one function; nothing in it points into the view. */
struct function_plan {
    struct str name; /* in the source */
    struct span span;
    const char *skipped, *skipped_why; /* the function is not changed: a stable word, a sentence */
    uint32_t skipped_at;               /* byte offset */
    struct decision_list deleted;      /* in order of place */
    struct decision_list declined;     /* every rule's last verdict on each kept candidate */
    struct decision_list advice;
    struct missing_list missing;           /* what lint found, when requested; in order of place */
    struct VEC(struct plan_place) unknown; /* instructions that are not known */
    struct VEC(struct plan_operation) operations; /* when requested; in order of place */
    uint32_t instructions, tcgen05, candidates;
    struct pressure_at live; /* the most, when requested; 0: not known */
};

/* Plans for function what options allow. Lists are on the heap: free with plan_free; the rest is in
 * arena. Its working memory is freed.
 *
 * Rule after rule is run on all candidates of a kind at once; what a rule proposes is judged
 * again with all of it removed, so that no two removals justify each other. The rounds end when a
 * whole one proposes nothing, so a second run on the output finds nothing either. */
void plan_build(struct function_plan *plan, const struct view *view,
                const struct function *function, const struct plan_options *options,
                struct arena *arena);

/* Undoes all removals, for the stable word reason ("internal": the checker could not prove
 * them) and the sentence why. */
void plan_revert(struct function_plan *plan, const char *reason, const char *why);

/* Undoes those that rest on which branches agree, and gives them the verdict for all paths: the
 * checker derives that in its own way, and may have another result. False when there are none. */
bool plan_revert_wide(struct function_plan *plan);

void plan_free(struct function_plan *plan);

#endif
