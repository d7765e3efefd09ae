/* The hazards that lint found in one function, in a form that outlives the view. */
#ifndef PTXOPT_ENGINE_MISSING_H
#define PTXOPT_ENGINE_MISSING_H

#include "engine/place.h"
#include "lint/lint.h"
#include "text/insert.h"

struct missing {
    const struct lint_code *code;
    enum lint_level level;
    uint64_t id;                   /* id of this code at this instruction, see engine/id.h */
    uint32_t instr, witness_instr; /* instruction numbers; NO_INSTR: there is no witness */
    struct plan_place place, witness;
    const char *says, *fix; /* see struct hazard; in arena */
    struct lint_words words;
    const struct loc_place *inlined; /* see engine/inlined.h */
    uint32_t inlined_count;
    /* From the first instruction to the second; without a path, only these two. */
    const struct plan_step *path;
    uint32_t path_count;
    /* With missing_options.cures: lines that may fix the hazard, the best first, in arena. They are
     * not tested. */
    const struct insert *cures;
    uint32_t cure_count;
    const char *incurable; /* why there are no cures: a sentence, static */
};

/* unasked: bits 1 << index of the codes that would have exceeded the budget; LINT_PREPARING: all of
 * them. partly: codes that stopped after a part of the function. cut: codes that stopped at a call
 * or a table of branches. A code is in at most one of the three. */
struct missing_list {
    struct missing *at;
    uint32_t count, cap;
    uint32_t unasked, partly, cut;
    bool examined; /* lint was run on the function */
};

struct missing_options {
    uint64_t budget;      /* units, see lint_effort; 0: chosen by the bytes of the function */
    uint32_t assumptions; /* bits of enum assumption */
    bool cures;           /* also find lines that may fix a hazard */
};

/* Appends the hazards of the function of that graph. view must have the operands of all
 * instructions. Texts and arrays of the hazards are in arena. */
void missing_find(struct missing_list *list, const struct view *view, const struct cfg *cfg,
                  const struct missing_options *options, struct arena *arena);

/* Returns, in arena, for each instruction of the function whether an error or warning names it;
 * NULL if none is named. */
const bool *missing_named(const struct missing_list *list, const struct function *function,
                          struct arena *arena);

#endif
