/* Comments in the text that accept a hazard: "// ptxopt: ignore[code] reason". */
#ifndef PTXOPT_API_SUPPRESS_H
#define PTXOPT_API_SUPPRESS_H

#include "base/vec.h"
#include "text/source.h"

struct suppression {
    struct span span;   /* of the comment */
    uint32_t line;      /* that it is about */
    struct str codes;   /* separated by commas; of a bare "ignore" none, which stands for all */
    const char *reason; /* what is said behind it, or ""; in arena */
    bool used;          /* it accepted something */
};

struct suppression_list VEC(struct suppression);

/* Appends those of the text, in order. One is about its own line or, where that is nothing but the
 * comment, about the next line that is more than a comment and no .loc. */
void suppress_find(struct suppression_list *list, const struct source *source, struct arena *arena);

/* The first that accepts what the code says of lines first to last, which is then used; NULL for
 * none. */
const struct suppression *suppress_use(struct suppression_list *list, uint32_t first, uint32_t last,
                                       const char *code);

/* Takes the first code off the list of codes; false when there is none. */
bool suppress_next_code(struct str *codes, struct str *code);

#endif
