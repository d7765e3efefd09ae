/* Where are the functions of a text, and its statements that may be deleted? */
#ifndef PTXOPT_CHECK_READ_OUTLINE_H
#define PTXOPT_CHECK_READ_OUTLINE_H

#include "base/vec.h"
#include "check/read/statement.h"

struct outline_function {
    struct span whole; /* from .entry or .func through the closing brace */
    struct span name;  /* empty when not found */
    uint32_t body;     /* just behind the opening brace */
    bool is_entry;
};

/* A synchronising statement inside a function. */
struct outline_site {
    struct span span;
    uint32_t gap; /* the end of the token before it */
    uint32_t function;
    enum statement_sync sync;
    bool guarded;
    bool deleted; /* filled in by diff_align */
};

struct outline {
    struct VEC(struct outline_function) functions;
    struct VEC(struct outline_site) sites;
    uint32_t isa_major, isa_minor; /* of .version; 0.0 when there is none */
    bool has_clocks;               /* the name of a clock stands somewhere in the text */
};

/* Zero-initialised outline in; release with outline_free. Every text has an outline. */
void outline_read(struct outline *outline, struct str text);
void outline_free(struct outline *outline);

#endif
