/* Decides whether a hazard is live in the machine code that ptxas makes of the text. Of what is
 * published before it is complete: whether there is a path through the machine code from the load
 * to the release on which nothing waits for the load. */
#ifndef PTXOPT_REPORT_WITNESS_H
#define PTXOPT_REPORT_WITNESS_H

#include "api/ptxopt.h"
#include "base/buf.h"
#include "report/compiled.h"

enum witness_state {
    WITNESS_UNASKED, /* not a hazard that the machine code can show */
    WITNESS_UNKNOWN, /* the two instructions, or the paths between them, cannot be determined */
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
    const char *problem; /* why nothing is known, as compiled says; NULL when something is */
    struct witness *at;
    size_t count;
};

/* compiled: of the result's input, which is compiled only where a finding needs it. */
void witnesses_find(struct witnesses *witnesses, struct compiled *compiled,
                    const struct ptxopt_result *result);
void witnesses_free(struct witnesses *witnesses);

/* "live", "sleeping" or "unknown"; static. */
const char *witness_word(enum witness_state state);

/* A sentence for people; nothing for what was not requested. */
void witness_sentence(struct buf *out, const struct witness *witness);

#endif
