/* Reads the directives of a PTX text that affect the machine code. They are read from the text
 * because cubins do not contain them under documented names. */
#ifndef PTXOPT_REPORT_HEADS_H
#define PTXOPT_REPORT_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* The architecture of the first .target, such as "sm_100a", for mem_free; NULL: none. */
char *heads_target(struct str text);

/* A kernel: its name, borrowed from the text, and the largest number of threads of its CTA, from
 * .maxntid or .reqntid (PTX ISA 11.4); 0: not given. */
struct head {
    struct str name;
    uint32_t threads;
};

/* Finds the next .entry from *at on and advances *at. *at is 0 for the first call. False if there
 * is none. */
bool heads_next(struct str text, size_t *at, struct head *head);

#endif
