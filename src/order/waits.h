/* Finds what is outstanding for waits, of their own kind and of others. The functions decline sites
 * that are not declined yet; all sites are waits of one kind. */
#ifndef PTXOPT_ORDER_WAITS_H
#define PTXOPT_ORDER_WAITS_H

#include "order/scan.h"

/* The operation that a wait (EFFECT_WAIT_LD or EFFECT_WAIT_ST) waits for. */
static inline enum effect waits_issue(enum effect wait)
{
    return wait == EFFECT_WAIT_LD ? EFFECT_ASYNC_LD : EFFECT_ASYNC_ST;
}

/* Scanned back from a wait, by its kind (wait::ld, wait::st). */
enum waits_question {
    WAITS_HIDDEN, /* whether a call or a caller may have issued what it waits for */
    WAITS_OWN,    /* whether an access of its own kind is outstanding */
    WAITS_MEANT,  /* … anything else */
    WAITS_OWED,   /* … anything else, and nothing of its own kind, on one path */
    WAITS_QUESTIONS
};

extern const struct cover_table waits_tables[2][WAITS_QUESTIONS];

/* Declines where a call, or the edge of a .func, may have issued what cannot be listed. */
void waits_decline_hidden(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                          struct verdict *verdicts);

/* Declines where something is outstanding that the wait does not wait for, but that its author may
 * have meant: an mma, cp or shift that no commit tracks, or an access of the other kind without its
 * own wait; or a call or caller may have left such. To remove the wait would be legal, and would
 * hide a mistake. */
void waits_decline_meant(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                         struct verdict *verdicts);

/* The same, but only where nothing of the wait's own kind is outstanding. */
void waits_decline_idle(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                        struct verdict *verdicts);

/* The same where that is so on some path, of waits whose deletion needs isa-9.4-pairs, and of those
 * after which an access passes as its columns are apart (passed): after others nothing comes that
 * could show it. */
void waits_decline_owed(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                        const bool *passed, struct verdict *verdicts);

#endif
