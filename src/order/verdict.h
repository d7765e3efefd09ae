/* The verdict of a rule on one candidate: remove it, or why not. Candidates are called sites. */
#ifndef PTXOPT_ORDER_VERDICT_H
#define PTXOPT_ORDER_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "order/reasons.h"

/* Why a candidate is kept, from the least to the most specific: where several rules decline one
 * candidate, the most specific reason is shown. */
enum reason {
    REASON_NONE, /* nothing prevents the removal */
#define NUMBER(name, word, clause, ahead, need, summary, explanation) REASON_##name,
    REASONS(NUMBER)
#undef NUMBER
        REASON_COUNT
};

#define NO_WITNESS UINT32_MAX

struct verdict {
    enum reason reason;
    uint32_t witness;     /* the instruction that decides it, or NO_WITNESS */
    uint32_t assumptions; /* used when removed, missing when reason is REASON_ASSUMPTION */
};

/* Which of the sites, ascending, and so of their verdicts, instruction i is, or NO_WITNESS. */
uint32_t site_find(const uint32_t *sites, uint32_t count, uint32_t i);

/* "release", as --remarks and the tests spell it. */
const char *reason_word(enum reason reason);

/* One clause that finishes "kept because"; "%s" stands for the witness, where there is one. ahead:
 * that comes after the candidate. */
const char *reason_clause(enum reason reason, bool ahead);

/* Finishes "before", with "%s" for the witness: what needs the order of the candidate. "" where
 * none can be named. */
const char *reason_need(enum reason reason);

/* A few words that finish "wait::ld kept: ". */
const char *reason_summary(enum reason reason);

#endif
