/* Words with a dot, as ptxas sorts them. */
#ifndef PTXOPT_SYNTAX_STRICT_WORD_H
#define PTXOPT_SYNTAX_STRICT_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Whether it is the type of a variable. */
bool strict_is_type(struct str word);

/* Whether it is a directive's, so that it is not a modifier. */
bool strict_is_reserved(struct str word);

/* Whether it is spelled like a modifier: `.x`, `.16x64b` and `.2d` are, `._x` and `.5x` are not. */
bool strict_is_modifier(struct str word);

/* Whether it is `.x`, `.b3210` or another that picks a part of a register. */
bool strict_is_selector(struct str word);

/* The places of a directive of a function. */
enum { STRICT_ENTRY = 1, STRICT_FUNC = 2, STRICT_PROTOTYPE = 4 };

struct strict_directive {
    const char *name;
    uint8_t places, least, most; /* least and most: arguments */
    bool strings;                /* the arguments may be strings */
};

/* NULL when there is none of that name. */
const struct strict_directive *strict_find_directive(struct str name);

#endif
