/* Finds how two assemblies of one function differ, except for the removed instructions. See real.c.
 */
#ifndef PTXOPT_TESTS_SASS_REAL_H
#define PTXOPT_TESTS_SASS_REAL_H

#include "base/buf.h"
#include "cubin.h"

/* Words that may disappear with a removal. */
struct deleted {
    bool wait, wait_st, proxy_fence;
    bool end;   /* after which a warp need not meet again, since threads that leave do so earlier */
    bool pairs; /* because of which loads and stores execute in their order */
};

/* Adds each difference to what, one in each line: "MEMBAR where SYNCS", "STTM under way at LDTM".
 */
void real_compare(const struct code *before, const struct code *after, struct deleted deleted,
                  struct buf *what);

#endif
