/* Is a hazard live in what ptxas makes of the text? Of what is published before it is complete: is
 * there a way through the machine code from the load to the release on which nothing waits for the
 * load? */
#ifndef PTXOPT_REPORT_WITNESS_H
#define PTXOPT_REPORT_WITNESS_H

#include "api/ptxopt.h"
#include "base/buf.h"

enum witness_state {
    WITNESS_UNASKED, /* not a hazard that the machine code tells anything of */
    WITNESS_UNKNOWN, /* the two instructions, or the ways between them, cannot be told for sure */
    WITNESS_LIVE,    /* the release is issued with the operation under way */
    WITNESS_SLEEPING /* something waits on each way: another ptxas, or another change, may not */
};

/* Of one finding. Offsets are in bytes into the function's code: of the operation and the release,
 * for live and sleeping; of several the first. line is the operation's in the text: what is under
 * way need not be the one that the finding names. */
struct witness {
    enum witness_state state;
    uint32_t operation, line, release;
};

/* By the findings of a result: at[i] is of its i-th. Zero-initialise. */
struct witnesses {
    char *problem; /* why nothing is known; NULL when something is. For mem_free */
    struct witness *at;
    size_t count;
};

/* Assembles text[0..len), the result's input, with the ptxas on PATH; not where no finding asks. */
void witnesses_find(struct witnesses *witnesses, const char *text, size_t len,
                    const struct ptxopt_result *result);
void witnesses_free(struct witnesses *witnesses);

/* "live", "sleeping" or "unknown"; static. */
const char *witness_word(enum witness_state state);

/* A sentence for people; nothing of what was not asked. */
void witness_sentence(struct buf *out, const struct witness *witness);

#endif
