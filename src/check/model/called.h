/* Summarises what a call of a function in the same text may do: any instruction of the body, any
 * number of times, in any order, or not at all. */
#ifndef PTXOPT_CHECK_MODEL_CALLED_H
#define PTXOPT_CHECK_MODEL_CALLED_H

#include "check/model/effect.h"
#include "check/model/program.h"
#include "check/read/module.h"

/* Summary of a body and of all bodies that it calls. */
struct called_summary {
    uint32_t effects; /* 1 << enum check_effect for each effect that is an event */
    uint8_t groups;   /* CHECK_EFFECT_GROUP_1 and _2 */
    bool touches_memory;
    bool has_early; /* see CHECK_EFFECT_EARLY */
    bool is_known;  /* false: a call may do anything */
};

/* Frees the summaries of one text; NULL is allowed. */
void called_free(struct called *called);

/* Whether the text declares registers outside of functions. body: a body that was read already,
 * from after its opening to after its closing brace; it is not read again. */
bool called_shares_registers(struct called **kept, struct str text, struct span body);

/* A called_asker (program.h): reads the bodies that it needs, and stores their summaries in
 * *kept. */
const struct called_summary *called_ask(struct called **kept, struct str text, struct str name,
                                        uint32_t assume);

#endif
