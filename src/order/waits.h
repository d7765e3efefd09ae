/* Finds the operations that are outstanding at waits, of the kind for which they wait and of other
 * kinds. The functions decline only sites that are not declined yet. All sites are waits of one
 * kind, ascending. */
#ifndef PTXOPT_ORDER_WAITS_H
#define PTXOPT_ORDER_WAITS_H

#include "order/scan.h"

/* The effect of the operations for which a wait (EFFECT_WAIT_LD or EFFECT_WAIT_ST) waits. */
static inline enum effect waits_issue(enum effect wait)
{
    return wait == EFFECT_WAIT_LD ? EFFECT_ASYNC_LD : EFFECT_ASYNC_ST;
}

/* The questions of backward scans from a wait (wait::ld or wait::st). */
enum waits_question {
    WAITS_HIDDEN, /* a call or a caller may have issued operations for which it waits */
    WAITS_OWN,    /* an access of its own kind is outstanding */
    WAITS_MEANT,  /* another operation is outstanding */
    WAITS_OWED,   /* on some path, another operation is outstanding and no access of its own kind */
    WAITS_QUESTIONS
};

extern const struct cover_table waits_tables[2][WAITS_QUESTIONS];

/* Declines sites before which a call, or the edge of a .func, may have issued operations that
 * cannot be listed. */
void waits_decline_hidden(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                          struct verdict *verdicts);

/* Declines sites at which an operation is outstanding for which the wait does not wait, but for
 * which the author may have meant to wait: an mma, cp or shift that no commit tracks, or an access
 * of the other kind without its own wait; also if a call or caller may have left such an operation.
 * Removing the wait would be legal, but would hide a mistake. */
void waits_decline_meant(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                         struct verdict *verdicts);

/* As waits_decline_meant, but only sites at which no access of the wait's own kind is outstanding.
 */
void waits_decline_idle(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                        struct verdict *verdicts);

/* As waits_decline_idle, if that is true on some path. Applies only to waits whose removal needs
 * isa-9.4-pairs, and to waits after which an access passes because its columns are apart (passed,
 * by site): after other waits no instruction comes that could show the mistake. */
void waits_decline_owed(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                        const bool *passed, struct verdict *verdicts);

#endif
