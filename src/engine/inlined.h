/* Maps instructions to places of the CUDA source, by .file number. */
#ifndef PTXOPT_ENGINE_INLINED_H
#define PTXOPT_ENGINE_INLINED_H

#include "base/intern.h"
#include "ptx/view.h"

/* The .loc directives of one function by the place that they name; zero before its first use. */
struct inlined_index {
    const struct function *function;
    struct intern numbers; /* of its places */
    uint32_t *by_place;    /* into locs, by number of the place, then by order */
    uint32_t *first;       /* by number, and one more: into by_place */
};

/* The place by the .loc in force at the instruction, then, outwards, the calls it was inlined at
 * (PTX ISA 11.5.3: inlined_at names the place of another .loc). *count is 0 without a .loc. The
 * array is in arena; the index, of the first function that it is used for, in scratch. */
const struct loc_place *inlined_places(struct inlined_index *index, const struct function *function,
                                       uint32_t instr, struct arena *scratch, struct arena *arena,
                                       uint32_t *count);

/* The outermost of these places; line 0: not known. */
struct loc_place inlined_call_site(struct inlined_index *index, const struct function *function,
                                   uint32_t instr, struct arena *scratch);
void inlined_free(struct inlined_index *index);

#endif
