/* Finds the synchronising instructions of a text whose loss lint should report. */
#ifndef PTXOPT_TESTS_SLEEPS_SITES_H
#define PTXOPT_TESTS_SLEEPS_SITES_H

#include "../model/sites.h"

enum sync_kind {
    SYNC_WAIT_LD,
    SYNC_WAIT_ST,
    SYNC_FENCE_BEFORE,
    SYNC_FENCE_AFTER,
    SYNC_PROXY,
    SYNC_JUDGED, /* for those above, the checker decides whether they may be removed */
    SYNC_COMMIT = SYNC_JUDGED,
    SYNC_MBARRIER_WAIT,
    SYNC_ARRIVE,
    SYNC_BARRIER,
    SYNC_CLUSTER,
    SYNC_RELINQUISH,
    SYNC_DEALLOC,
    SYNC_KINDS
};

/* "wait::ld" */
const char *sync_name(enum sync_kind kind);

/* One synchronisation: its statement and, for the loop that waits for an mbarrier, the branch back;
 * all are blanked together. */
struct sync_site {
    enum sync_kind kind;
    struct site statement, branch; /* the latter is empty for all other kinds */
};

struct sync_sites VEC(struct sync_site);

/* In the order of the text; the caller frees with vec_free. A wait for an mbarrier is included if
 * its loop has one of the two forms that compilers and libraries write: "L: try_wait p; @!p bra L;"
 * and "L: try_wait p; @p bra D; bra L; D:". */
struct sync_sites sync_sites_of(struct str text);

/* Blanks the statements of the site; line ends are kept. */
void sync_blank(char *text, const struct sync_site *site);

#endif
