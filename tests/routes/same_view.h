/* Checks that reading a text by the shapes of its statements and by the whole tree gives the same
 * result. */
#ifndef PTXOPT_TESTS_SAME_VIEW_H
#define PTXOPT_TESTS_SAME_VIEW_H

#include "base/str.h"

enum same_view {
    SAME_VIEW,   /* both give the same functions, to the last field */
    SAME_UNTOLD, /* shapes cannot decide; only the tree counts */
    SAME_WRONG,  /* they differ, or shapes read what is not PTX; said on stderr */
};

enum same_view same_view(const char *name, struct str text);

#endif
