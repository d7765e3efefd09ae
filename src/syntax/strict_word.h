/* Sorts words with a dot as ptxas does. */
#ifndef PTXOPT_SYNTAX_STRICT_WORD_H
#define PTXOPT_SYNTAX_STRICT_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The word is the type of a variable. */
bool strict_is_type(struct str word);

/* The word is that of a directive, so it is not a modifier. */
bool strict_is_reserved(struct str word);

/* The word has the form of a modifier: `.x`, `.16x64b` and `.2d` do, `._x` and `.5x` do not. */
bool strict_is_modifier(struct str word);

/* The word is `.x`, `.b3210` or another that selects a part of a register. */
bool strict_is_selector(struct str word);

/* Where a directive of a function may be, as bits. */
enum { STRICT_ENTRY = 1, STRICT_FUNC = 2, STRICT_PROTOTYPE = 4 };

struct strict_directive {
    const char *name;
    uint8_t places, least, most; /* least, most: the number of arguments */
    bool strings;                /* the arguments may be strings */
};

/* The directive with this name; NULL: none. */
const struct strict_directive *strict_find_directive(struct str name);

#endif
