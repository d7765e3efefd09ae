/* What lint found in one function, as it outlives the view. */
#ifndef PTXOPT_ENGINE_MISSING_H
#define PTXOPT_ENGINE_MISSING_H

#include "engine/place.h"
#include "lint/lint.h"
#include "text/insert.h"

struct missing {
    const struct lint_code *code;
    enum lint_level level;
    uint64_t id;                   /* see engine/id.h; of the code at this instruction */
    uint32_t instr, witness_instr; /* of the function; NO_INSTR: there is no witness */
    struct plan_place place, witness;
    const char *says, *fix; /* see struct hazard; in arena */
    struct lint_words words;
    const struct loc_place *inlined; /* see engine/inlined.h */
    uint32_t inlined_count;
    const struct plan_step *path; /* from the first instruction to the second, or just these */
    uint32_t path_count;
    /* With cures: lines that may correct it, the best first; none of them is tried. In arena. */
    const struct insert *cures;
    uint32_t cure_count;
    const char *incurable; /* why there are none, a sentence; static */
};

/* unasked: the codes that would have taken too long, by bits 1 << index; LINT_PREPARING: all of
 * them. partly: those that searched a part of the function and stopped; cut: those that stopped at
 * a call or a table of branches. A code is in one of them at most. */
struct missing_list {
    struct missing *at;
    uint32_t count, cap;
    uint32_t unasked, partly, cut;
    bool examined; /* codes were run on the function */
};

struct missing_options {
    uint64_t budget;      /* see lint_effort; 0: by the bytes of the function */
    uint32_t assumptions; /* bits of enum assumption */
    bool cures;           /* also look for what would correct it */
};

/* Appends what the codes report of the function; its view has all operands. What it points to is
 * in arena. */
void missing_find(struct missing_list *list, const struct view *view,
                  const struct function *function, const struct missing_options *options,
                  struct arena *arena);

/* By instruction of the function: an error or warning names it. In arena; NULL when none does. */
const bool *missing_named(const struct missing_list *list, const struct function *function,
                          struct arena *arena);

#endif
