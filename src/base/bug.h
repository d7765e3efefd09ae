/* BUG: a broken invariant of our own, never a broken input. */
#ifndef PTXOPT_BASE_BUG_H
#define PTXOPT_BASE_BUG_H

#include <stdio.h>
#include <stdlib.h>

#define BUG(what)                                                                                  \
    do {                                                                                           \
        fprintf(stderr, "ptxopt: internal error: %s (%s:%d)\n", (what), __FILE__, __LINE__);       \
        abort();                                                                                   \
    } while (0)

#define BUG_UNLESS(cond)                                                                           \
    do {                                                                                           \
        if (!(cond)) BUG(#cond);                                                                   \
    } while (0)

#endif
