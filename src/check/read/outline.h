/* Finds the functions of a text. */
#ifndef PTXOPT_CHECK_READ_OUTLINE_H
#define PTXOPT_CHECK_READ_OUTLINE_H

#include "check/read/token.h"

struct outline_function {
    uint32_t start;   /* of .entry or .func */
    uint32_t body;    /* just after the opening brace */
    struct span name; /* empty when not found */
    bool is_entry;
};

struct outline {
    struct str text;
    uint32_t pos;                  /* read up to there */
    uint32_t isa_major, isa_minor; /* of the last .version so far; 0.0 when there is none */
    struct span version;           /* its number; empty when there is none */
};

/* Moves from pos to the next function that has a body. False at the end of the text, else the
 * caller sets pos after the closing brace. Every text has an outline. */
bool outline_next(struct outline *outline, struct outline_function *function);

/* Past the brace that closes the one in front of pos; the end of the text when there is none. */
uint32_t outline_skip_braces(struct str text, uint32_t pos);

#endif
