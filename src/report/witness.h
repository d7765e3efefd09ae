/* Decides whether a hazard is live in the machine code that ptxas makes of the text. For an
 * operation that is published before it is complete: whether a path through the machine code leads
 * from the load to the release without a wait for the load. */
#ifndef PTXOPT_REPORT_WITNESS_H
#define PTXOPT_REPORT_WITNESS_H

#include "api/ptxopt.h"
#include "base/buf.h"
#include "report/compiled.h"

enum witness_state {
    WITNESS_UNASKED, /* the machine code cannot show this kind of hazard */
    WITNESS_UNKNOWN, /* the two instructions, or the paths between them, are not known */
    WITNESS_LIVE,    /* the release is issued while the operation is in flight */
    WITNESS_SLEEPING /* each path has a wait; it may be missing with another ptxas or after another
                        change */
};

/* The answer for one finding. Offsets of the operation and the release are in bytes from the start
 * of the function's code, for live and sleeping; if there are several, of the first. line: of the
 * operation in the text; it may be another one than the finding names. */
struct witness {
    enum witness_state state;
    uint32_t operation, line, release;
};

/* By finding of a result: at[i] belongs to its i-th finding. Zero-initialised by the caller. */
struct witnesses {
    const char *problem; /* why nothing is known, as in compiled; NULL: something is */
    struct witness *at;
    size_t count;
};

/* Fills *witnesses. compiled: of the result's input, which is compiled only if a finding needs
 * it. */
void witnesses_find(struct witnesses *witnesses, struct compiled *compiled,
                    const struct ptxopt_result *result);
void witnesses_free(struct witnesses *witnesses);

/* "live", "sleeping" or "unknown". Static. */
const char *witness_word(enum witness_state state);

/* Appends a sentence for people; nothing for WITNESS_UNASKED. */
void witness_sentence(struct buf *out, const struct witness *witness);

#endif
