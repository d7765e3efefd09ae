/* Plans the removals in one function: runs the rules until none proposes a further removal. */
#ifndef PTXOPT_ENGINE_PLAN_H
#define PTXOPT_ENGINE_PLAN_H

#include "engine/keeps.h"
#include "engine/missing.h"
#include "order/apart.h"
#include "order/pressure.h"
#include "rules/rule.h"

/* An instruction that an argument names. NO_WITNESS and no place if there is none, or if it is too
 * far away to be found. */
struct plan_ground {
    uint32_t instr;
    struct plan_place place;
};

/* The instructions besides the witness that the argument for a removal names. */
struct plan_grounds {
    bool others;             /* on other paths the witness may be another instruction … */
    bool entry;              /* … or the entry of the kernel */
    struct plan_ground need; /* after the witness: the instruction that needs its order … */
    enum reason why;         /* … and the reason */
    /* Of a wait::ld: the instruction that reads a loaded register before the witness. */
    struct plan_ground reader;
    struct span reg; /* that register as the load spells it; empty: not known */
    /* The last operation that the removed instruction would have ordered. */
    struct plan_ground before;
    /* The operation after the removed instruction that forms a pipelined pair with the witness or,
     * for a wait, with an operation in flight. */
    struct plan_ground second;
    struct plan_ground commit; /* the commit that publishes both */
    /* Of a wait that is removed because columns are apart: an operation in flight, and one issued
     * before the next wait. */
    struct plan_ground in_flight, issued;
    struct apart_columns columns; /* the columns of these two */
};

/* The verdict of a rule on the candidate instr: a removal (reason REASON_NONE) or a decline. The
 * fields are in an order without padding, since a text may have thousands of functions with a
 * decision each. */
struct decision {
    uint64_t id; /* see engine/id.h */
    const struct rule *rule;
    struct verdict verdict;
    struct plan_place place, witness; /* of the candidate; of the witness of the verdict */
    uint32_t instr;
    /* CUDA lines of the candidate, see engine/inlined.h. In arena. */
    const struct loc_place *inlined;
    uint32_t inlined_count;
    struct loc_place
        /* CUDA line of the witness; line 0: not known, or not requested. */
        witness_origin;
    /* Of a removal, if requested: what it ordered, and what orders that now, in order of execution.
     * Only the nearest operations are named; more_operations counts the others. In arena. */
    struct plan_step *steps;
    uint32_t step_count, more_operations;
    const struct plan_grounds *grounds; /* the instructions that the argument names; in arena */
    const struct directive *keeper;     /* with REASON_KEPT_BY_COMMENT: the comment */
    const char *why;                    /* with REASON_REGISTERS: see struct given_up */
    /* Of a removal in the output: see text/edit.h. */
    struct span replaced;
    int32_t shift;
    /* Holds only on the paths on which branches with the same condition agree, or because columns
     * are apart. */
    bool wide;
    struct pressure_at live; /* of a removed wait::ld, if requested */
};

struct decision_list VEC(struct decision);

/* An instruction that orders others, or is ordered. */
struct plan_operation {
    struct span span; /* including the guard */
    uint8_t effect;   /* enum effect */
};

/* The removals that the caller allows. Ids are those of id_build; only NULL: all that skip does not
 * name. */
struct plan_options {
    uint32_t rules, assumptions; /* bits 1 << index of a rule; bits of enum assumption */
    const uint64_t *only, *skip;
    uint32_t only_count, skip_count;
    const struct given_up *given_up;
    uint32_t given_up_count;
    /* No explanations: declined and advice stay empty, and the witness of a removal may itself be
     * removed. */
    bool unexplained;
    bool steps;     /* fill the steps of removals, and operations */
    bool estimates; /* fill the live registers, which needs all uses */
    /* Instructions that an error or warning in it names are kept. */
    const struct missing_list *missing;
    struct keeps *keeps;   /* candidates that comments keep; NULL: there are none */
    const struct cfg *cfg; /* of the function; NULL: not built yet */
};

/* The plan of one function. It has no pointers into the view. */
struct function_plan {
    struct str name; /* as in the source */
    struct span span;
    const char *skipped, *skipped_why; /* why the function is not changed: a stable word, and a
                                          sentence; NULL: it may be */
    uint32_t skipped_at;               /* byte offset */
    struct decision_list deleted;      /* in order of place */
    struct decision_list declined;     /* the last verdict of every rule on each kept candidate */
    struct decision_list advice;
    struct missing_list missing;                  /* hazards, if requested; in order of place */
    struct VEC(struct plan_place) unknown;        /* unknown instructions */
    struct VEC(struct plan_operation) operations; /* if requested; in order of place */
    uint32_t instructions, tcgen05, candidates;
    bool by_store;           /* the checker will probably need loads that stores end (hold.h) */
    struct pressure_at live; /* the maximum, if requested; 0: not known */
};

/* Makes the plan of function within options. Lists are on the heap: free them with plan_free. The
 * rest is in arena. Working memory is freed.
 *
 * Each rule is run on all candidates of a kind at once. The candidates that it proposes are judged
 * again with all of them removed, so that no two removals justify each other. Rounds over all rules
 * end when one proposes nothing, so a second run on the output finds nothing either. */
void plan_build(struct function_plan *plan, const struct view *view,
                const struct function *function, const struct plan_options *options,
                struct arena *arena);

/* Undoes all removals. reason: a stable word, such as "internal" if the checker could not prove
 * them; why: a sentence. Both must outlive the plan. */
void plan_revert(struct function_plan *plan, const char *reason, const char *why);

/* Undoes the removals that hold only where branches agree, and gives them their verdict for all
 * paths. The checker finds these paths in its own way, and may know fewer. Returns false if there
 * are none. */
bool plan_revert_wide(struct function_plan *plan);

void plan_free(struct function_plan *plan);

#endif
