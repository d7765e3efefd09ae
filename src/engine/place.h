/* Places of instructions in the text, which stay valid when the view is freed. */
#ifndef PTXOPT_ENGINE_PLACE_H
#define PTXOPT_ENGINE_PLACE_H

#include "ptx/view.h"

struct plan_place {
    struct span span;
    bool is_exit; /* the instruction ends the thread */
    bool is_end;  /* the end of the body, which has no text */
};

/* Returns the place of an instruction; empty for NO_WITNESS. */
struct plan_place plan_place_of(const struct function *function, uint32_t instr);

/* An instruction that takes part in the ordering around a removal or hazard, and its part. */
struct plan_step {
    uint32_t at;             /* byte offset in the text */
    const char *part;        /* "issued before …", "removed", … */
    struct loc_place origin; /* the call site by .loc; line 0: not known */
};

#endif
