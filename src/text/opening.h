/* Decides whether a text begins as PTX does. */
#ifndef PTXOPT_TEXT_OPENING_H
#define PTXOPT_TEXT_OPENING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Why a text is not PTX. Strings are static. */
struct opening_fault {
    uint32_t at;      /* offset in bytes */
    const char *code; /* a stable word, as in diagnostics */
    const char *text;
};

/* True if the first word, after blanks, comments and lines that begin with '#', is .version. Each
 * module begins with it (PTX ISA 5.1 and 11.1.1, .version), and ptxas rejects everything else. If
 * false, *fault says why. */
bool opening_is_ptx(struct str text, struct opening_fault *fault);

#endif
