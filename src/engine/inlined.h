/* Maps instructions to places of the CUDA source. A place names its file by the number of a .file
 * directive. */
#ifndef PTXOPT_ENGINE_INLINED_H
#define PTXOPT_ENGINE_INLINED_H

#include "base/intern.h"
#include "ptx/view.h"

/* The .loc directives of one function, by place. Zero-initialise it before its first use; free it
 * with inlined_free. */
struct inlined_index {
    const struct function *function;
    struct intern numbers; /* numbers of the places of the function */
    uint32_t *by_place;    /* indices into locs, sorted by the number of the place, then by order in
                              the text */
    uint32_t *first;       /* by number of a place, and one more entry: index into by_place */
};

/* Returns the place of an instruction by the .loc in force there, then, outwards, the places of the
 * calls that it was inlined at (PTX ISA 11.5.3: inlined_at names the place of another .loc). *count
 * is 0 without a .loc. The array is in arena. The index is built in scratch at its first use, and
 * serves only the function of that use. */
const struct loc_place *inlined_places(struct inlined_index *index, const struct function *function,
                                       uint32_t instr, struct arena *scratch, struct arena *arena,
                                       uint32_t *count);

/* Returns the outermost of these places; line 0: not known. */
struct loc_place inlined_call_site(struct inlined_index *index, const struct function *function,
                                   uint32_t instr, struct arena *scratch);
void inlined_free(struct inlined_index *index);

#endif
