/* A diagnostic: the place of a fault in a text, and the fault. */
#ifndef PTXOPT_TEXT_DIAG_H
#define PTXOPT_TEXT_DIAG_H

#include "base/arena.h"
#include "base/vec.h"
#include "text/source.h"

struct diag {
    struct place place;
    const char *code; /* a stable word, printed in brackets */
    const char *text;
};

struct diag_list VEC(struct diag);

/* Adds a message. text must exist as long as the list. */
void diag_add(struct diag_list *list, struct place place, const char *code, const char *text);

#endif
