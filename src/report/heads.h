/* The directives of a PTX text that count for the machine code. Reads the text itself, as nothing
 * of a compiled one says it by a name that is documented. */
#ifndef PTXOPT_REPORT_HEADS_H
#define PTXOPT_REPORT_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* The architecture of the first .target ("sm_100a"), for mem_free; NULL when there is none. */
char *heads_target(struct str text);

/* A kernel's name, borrowed from the text, and the most threads that its CTA has, by .maxntid or
 * .reqntid (PTX ISA 11.4); 0: it does not say. */
struct head {
    struct str name;
    uint32_t threads;
};

/* The next .entry from *at on, which is 0 first; false when there is none. */
bool heads_next(struct str text, size_t *at, struct head *head);

#endif
