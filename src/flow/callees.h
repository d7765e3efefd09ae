/* Summarises what a call of a function in the same text may do: the classes of all instructions
 * in the body and in its callees, by the function's name. */
#ifndef PTXOPT_FLOW_CALLEES_H
#define PTXOPT_FLOW_CALLEES_H

#include "ptx/view.h"

struct callee_summary {
    uint32_t effects; /* bits 1 << enum effect: any of them may happen, in any order and number */
    uint8_t groups;   /* bits 1 << cta_group */
    bool touches_memory;
};

/* The functions of a text. Zero but for source; nothing is read before it is needed. Released with
 * callees_free. */
struct callees {
    const struct source *source;
    struct callee_module *module; /* once read */
    bool has_none;                /* no function of the text can be read */
};

/* What the call instr of that function's body does; NULL when it may do anything. */
const struct callee_summary *callees_ask(struct callees *callees, const struct instr *instr);
void callees_free(struct callees *callees);

#endif
