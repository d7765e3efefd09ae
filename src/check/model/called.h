/* What may a call of a function do whose body stands in the same text? Any of the things that the
 * body holds, in any order and number, and none of them for certain. */
#ifndef PTXOPT_CHECK_MODEL_CALLED_H
#define PTXOPT_CHECK_MODEL_CALLED_H

#include "check/model/effect.h"
#include "check/read/module.h"

/* Of a body, and of all that it calls. */
struct called_summary {
    uint32_t effects; /* a bit 1 << enum check_effect for each, of those that are events */
    uint8_t groups;   /* CHECK_EFFECT_GROUP_1 and _2 */
    bool touches_memory;
    bool is_known; /* false: a call of it may do anything */
};

/* The bodies of one text; zero at first, and released with called_free. Whoever reads a body with
 * one of them has its calls told by it. */
struct called;

struct called *called_begin(struct str text);
void called_free(struct called *called);

/* What the function of that name does under these assumptions; never NULL. Reads what it has to,
 * and remembers. */
const struct called_summary *called_ask(struct called *called, struct str name, uint32_t assume);

#endif
