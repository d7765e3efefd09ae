/* What a rule says of one candidate: delete it, or why not. */
#ifndef PTXOPT_ORDER_VERDICT_H
#define PTXOPT_ORDER_VERDICT_H

#include <stdint.h>

/* Why a candidate stays, from the least to the most telling: where several rules decline one
 * candidate, the most telling reason is shown. */
enum reason {
    REASON_NONE, /* nothing stands against the deletion */
    REASON_UNREACHABLE,
    REASON_TOO_BIG,
    REASON_NO_COVER,
    REASON_MEMORY_ACCESS,
    REASON_NOT_PIPELINED,
    REASON_RECEIVED,
    REASON_RELEASED,
    REASON_FUNCTION_EDGE,
    REASON_WAIT,
    REASON_FENCE,
    REASON_ASYNC_OP,
    REASON_COMMIT,
    REASON_EXIT,
    REASON_CALL,
    REASON_OBSERVER,
    REASON_ACQUIRE,
    REASON_RELEASE,
    REASON_BEYOND_COMMIT,
    REASON_UNTRACKED,
    REASON_REGISTER_READ,
    REASON_REGISTER_REWRITTEN,
    REASON_ASSUMPTION,
    REASON_NOT_WHAT_IT_WAITS_FOR,
    REASON_GUARDED,
    REASON_NOT_SELECTED, /* the caller does not want this edit */
    REASON_SUSPICIOUS,   /* lint finds fault with it */
    REASON_KEPT_BY_COMMENT,
    REASON_COUNT
};

#define NO_WITNESS UINT32_MAX

struct verdict {
    enum reason reason;
    uint32_t witness;     /* the instruction that decides it, or NO_WITNESS */
    uint32_t assumptions; /* used when deleted, missing when reason is REASON_ASSUMPTION */
};

/* "release", as --remarks and the tests spell it. */
const char *reason_word(enum reason reason);

/* One clause that finishes "kept because"; "%s" stands for the witness, where there is one. */
const char *reason_clause(enum reason reason);

#endif
