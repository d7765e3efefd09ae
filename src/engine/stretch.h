/* Plans the removals in a stretch of the text: in all of it, or in the part that one thread reads
 * while other threads read the rest. */
#ifndef PTXOPT_ENGINE_STRETCH_H
#define PTXOPT_ENGINE_STRETCH_H

#include "engine/plan.h"

struct plan_list VEC(struct function_plan);
struct engine_options;

/* Complete statements of the module, with the plans of its functions. */
struct stretch {
    struct arena arena;     /* owns what plans and view point to */
    struct view view;       /* the functions are freed */
    struct plan_list plans; /* one for each function that was analysed */
    uint32_t assumptions;   /* under which the plans were made */
    struct span span;       /* in the text */
    struct keeps *keeps;    /* the comments for ptxopt in it; NULL: there are none */
    bool told; /* false: the reader could not read all of it, and its plans must not be used */
    uint64_t analysis_ns;
};

/* Returns the assumptions (bits of enum assumption) for a text, by the .version that view has read
 * so far. */
uint32_t stretch_assume(const struct engine_options *options, const struct view *view);

/* Fills stretch, which must be zero except for span. Each function is read, planned and freed.
 * settled: stretch->assumptions is set and used; otherwise the assumptions follow from the .version
 * before the first function. */
void stretch_plan(struct stretch *stretch, const struct engine_options *options,
                  const struct source *source, struct reader *reader, bool settled);
void stretch_free(struct stretch *stretch);

/* As stretch_plan, on several threads. Cuts the text after likely ends of functions, and returns an
 * array of *count stretches that the caller frees with mem_free, each with stretch_free. If a cut
 * was wrong, told is false in the stretch before it. NULL if the text is too small to distribute,
 * or if there is too little memory. settled: uses assumptions; otherwise the assumptions follow
 * from the .version before the first function. */
struct stretch *stretch_plan_all(const struct engine_options *options, const struct source *source,
                                 bool settled, uint32_t assumptions, uint32_t *count);

#endif
