/* The places of instructions in the text, which remain when the view has been freed. */
#ifndef PTXOPT_ENGINE_PLACE_H
#define PTXOPT_ENGINE_PLACE_H

#include "ptx/view.h"

struct plan_place {
    struct span span;
    bool is_exit; /* the thread ends there */
    bool is_end;  /* it is the end of the body, which has no text */
};

/* No witness has an empty place. */
struct plan_place plan_place_of(const struct function *function, uint32_t instr);

/* An instruction that takes part in the ordering around a removal or hazard, and the part it has.
 */
struct plan_step {
    uint32_t at;             /* byte offset */
    const char *part;        /* "issued before …", "removed", … */
    struct loc_place origin; /* the call site by .loc; line 0: not known */
};

#endif
