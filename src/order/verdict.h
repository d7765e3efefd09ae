/* The verdict of a rule on one candidate: remove it, or the reason why not. Candidates are also
 * called sites. */
#ifndef PTXOPT_ORDER_VERDICT_H
#define PTXOPT_ORDER_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "order/reasons.h"

/* The reasons why a candidate is kept, from the least to the most specific. If several rules
 * decline a candidate, the most specific reason is shown. */
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
    uint32_t witness;     /* the instruction because of which the verdict is given, or NO_WITNESS */
    uint16_t assumptions; /* bits: those that the removal uses; if reason is REASON_ASSUMPTION,
                             those that it lacks */
    bool stays; /* the rule declines the site whatever more is removed except the witness, so it
                   need not be asked again; false: not known */
};

/* The index of instruction i in sites, which ascend, and in their verdicts; NO_WITNESS if i is not
 * a site. */
uint32_t site_find(const uint32_t *sites, uint32_t count, uint32_t i);

/* The word of the reason, such as "release", as --remarks and the tests show it. */
const char *reason_word(enum reason reason);

/* One clause that completes "kept because"; "%s" stands for the witness, if there is one. ahead:
 * the witness comes after the candidate. */
const char *reason_clause(enum reason reason, bool ahead);

/* Completes "before": what needs the order of the candidate, with "%s" for the witness. "" if there
 * is no such text. */
const char *reason_need(enum reason reason);

/* A few words that complete "wait::ld kept: ". */
const char *reason_summary(enum reason reason);

#endif
