/* What may go from the functions of a stretch of the text: of all of it, or of what one thread
 * reads while others read the rest. */
#ifndef PTXOPT_ENGINE_STRETCH_H
#define PTXOPT_ENGINE_STRETCH_H

#include "engine/plan.h"

struct plan_list VEC(struct function_plan);
struct engine_options;

/* Whole statements of the module, the functions among them read and planned for. */
struct stretch {
    struct arena arena;     /* of what plans and view point to */
    struct view view;       /* without its functions */
    struct plan_list plans; /* one for each function that is worth a view */
    uint32_t assumptions;   /* that the plans rest on */
    struct span span;       /* in the text */
    struct keeps *keeps;    /* what comments in it keep; NULL: there are none */
    bool told;              /* false: the reader cannot read all of it; plans do not count */
    uint64_t analysis_ns;
};

/* What to assume for a text, by its view so far. */
uint32_t stretch_assume(const struct engine_options *options, const struct view *view);

/* Fills stretch, zero except for its span, from reader; each function is read, planned and freed.
 * settled: use stretch->assumptions; otherwise the assumptions that follow from the .version before
 * the first function. */
void stretch_plan(struct stretch *stretch, const struct engine_options *options,
                  const struct source *source, struct reader *reader, bool settled);
void stretch_free(struct stretch *stretch);

/* The same with several threads: cuts the text after likely ends of functions, and fills an array
 * of *count stretches, for mem_free. If a cut was wrong, the stretch before it is not used. NULL if
 * the text is too small, or there is too little memory, to distribute it. settled: use assumptions;
 * otherwise the assumptions that follow from the .version before the first function. */
struct stretch *stretch_plan_all(const struct engine_options *options, const struct source *source,
                                 bool settled, uint32_t assumptions, uint32_t *count);

#endif
