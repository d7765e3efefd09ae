/* Summarizes what a call of a function in the same text may do: the effects of all instructions in
 * its body and in its callees. Functions are found by name. */
#ifndef PTXOPT_FLOW_CALLEES_H
#define PTXOPT_FLOW_CALLEES_H

#include "ptx/view.h"

struct callee_summary {
    uint32_t effects; /* bits 1 << enum effect: each of them may happen, in any order and number */
    uint8_t groups;   /* bits 1 << cta_group of all tcgen05 instructions */
    bool touches_memory;
};

/* The functions of a text. All members but source must be zero at first. The text is read when it
 * is first needed. source is borrowed; callees_free frees the rest. */
struct callees {
    const struct source *source;
    struct callee_module *module; /* NULL: the text was not read yet */
    bool has_none;                /* no function of the text has a body */
};

/* Returns the summary of the call instr, owned by callees. NULL if the call may do anything. */
const struct callee_summary *callees_ask(struct callees *callees, const struct instr *instr);
void callees_free(struct callees *callees);

#endif
