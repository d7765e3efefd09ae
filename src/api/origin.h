/* Which lines of the CUDA source does an instruction come from? */
#ifndef PTXOPT_API_ORIGIN_H
#define PTXOPT_API_ORIGIN_H

#include "api/ptxopt.h"
#include "ptx/view.h"

/* The .loc directives of one function by the place that they name; zero before its first use. */
struct origin_index {
    const struct function *function;
    uint32_t *by_place; /* into locs, ascending by place, then by order; in arena */
};

/* The place by the .loc in force at the instruction, then, outwards, the calls it was inlined at
 * (PTX ISA 11.5.3: inlined_at names the place of another .loc). *count is 0 without a .loc. The
 * array is in arena. */
const struct ptxopt_origin *origin_stack(struct origin_index *index, const struct view *view,
                                         const struct function *function, uint32_t instr,
                                         struct arena *arena, uint32_t *count);

#endif
