/* Finds the functions of a text. */
#ifndef PTXOPT_CHECK_READ_OUTLINE_H
#define PTXOPT_CHECK_READ_OUTLINE_H

#include "check/read/token.h"

struct outline_function {
    uint32_t start;   /* offset of .entry or .func */
    uint32_t body;    /* offset after the opening brace */
    struct span name; /* empty if not found */
    bool is_entry;
};

struct outline {
    struct str text;
    uint32_t pos;                  /* offset up to which the text was read */
    uint32_t isa_major, isa_minor; /* of the last .version so far; 0.0 if there was none */
    struct span version;           /* span of its number; empty if there was none */
};

/* Finds the next function with a body from pos on. Returns false at the end of the text; otherwise
 * the caller must set pos after the closing brace. There is no error: any text has an outline. */
bool outline_next(struct outline *outline, struct outline_function *function);

/* Returns the offset after the brace that closes the one before pos; the end of the text if there
 * is none. */
uint32_t outline_skip_braces(struct str text, uint32_t pos);

#endif
