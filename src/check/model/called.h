/* Summarises what a call of a function in the same text may do: any instruction of the body,
 * any number of times and in any order, and none of them for certain. */
#ifndef PTXOPT_CHECK_MODEL_CALLED_H
#define PTXOPT_CHECK_MODEL_CALLED_H

#include "check/model/effect.h"
#include "check/model/program.h"
#include "check/read/module.h"

/* Of a body, and of all that it calls. */
struct called_summary {
    uint32_t effects; /* a bit 1 << enum check_effect for each, of those that are events */
    uint8_t groups;   /* CHECK_EFFECT_GROUP_1 and _2 */
    bool touches_memory;
    bool is_known; /* false: a call of it may do anything */
};

/* What is known of the bodies of one text. NULL is fine. */
void called_free(struct called *called);

/* Whether the text declares registers outside of functions. body: one that was read, from behind
 * its opening brace to behind the closing one; it is not passed over again. */
bool called_shares_registers(struct called **kept, struct str text, struct span body);

/* A called_asker (program.h): reads what it has to, and remembers. */
const struct called_summary *called_ask(struct called **kept, struct str text, struct str name,
                                        uint32_t assume);

#endif
