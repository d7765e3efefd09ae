/* Finds how two assemblies of one function differ, beyond what was removed. See real.c. */
#ifndef PTXOPT_TESTS_SASS_REAL_H
#define PTXOPT_TESTS_SASS_REAL_H

#include "base/buf.h"
#include "cubin.h"

/* What a deletion may take with it. */
struct deleted {
    bool wait, wait_st, proxy_fence;
    bool end;   /* after which a warp need not meet once more: those that leave do so earlier */
    bool pairs; /* by which loads and stores execute in their order */
};

/* Adds each difference to what, a line each: "MEMBAR where SYNCS", "STTM under way at LDTM". */
void real_compare(const struct code *before, const struct code *after, struct deleted deleted,
                  struct buf *what);

#endif
