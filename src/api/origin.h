/* Which lines of the CUDA source does an instruction come from? */
#ifndef PTXOPT_API_ORIGIN_H
#define PTXOPT_API_ORIGIN_H

#include "api/ptxopt.h"
#include "base/intern.h"
#include "ptx/view.h"

/* A .file: what it is called by, and its name, NULL until somebody asks. */
struct origin_file {
    uint32_t number, file;
    const char *name;
};

/* The .file directives of a module by number, and the .loc directives of one function by the place
 * that they name; in arena but for what goes with origin_index_free. Zero before its first use. */
struct origin_index {
    struct origin_file *files;
    const struct function *function;
    struct intern numbers;    /* of its places */
    struct loc_place *places; /* by loc */
    uint32_t *by_place;       /* into locs, by number of the place, then by order */
    uint32_t *first;          /* by number, and one more: into by_place */
};

/* The place by the .loc in force at the instruction, then, outwards, the calls it was inlined at
 * (PTX ISA 11.5.3: inlined_at names the place of another .loc). *count is 0 without a .loc. The
 * array is in arena. */
const struct ptxopt_origin *origin_stack(struct origin_index *index, const struct view *view,
                                         const struct function *function, uint32_t instr,
                                         struct arena *arena, uint32_t *count);
void origin_index_free(struct origin_index *index);

#endif
