/* Decides whether a text begins as PTX does. */
#ifndef PTXOPT_TEXT_OPENING_H
#define PTXOPT_TEXT_OPENING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Why a text is not PTX; strings are static. */
struct opening_fault {
    uint32_t at;      /* offset */
    const char *code; /* a stable word, as of a diagnostic */
    const char *text;
};

/* Whether .version is the first word, after blanks, comments and lines that begin with '#'. A
 * module begins so (PTX ISA 5.1 and 11.1.1, .version), and ptxas refuses all else. If not, *fault
 * says why. */
bool opening_is_ptx(struct str text, struct opening_fault *fault);

#endif
