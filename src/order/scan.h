/* What is met first on each path from here? Asked for many places at once: the answers of all come
 * from one solution over the graph, in time linear in events and edges. */
#ifndef PTXOPT_ORDER_SCAN_H
#define PTXOPT_ORDER_SCAN_H

#include "order/facts.h"

enum step {
    STEP_ON,   /* nothing here: go on along this path */
    STEP_DONE, /* this path is answered */
    STEP_STOP, /* the whole question is answered: no */
};

/* The start of the body, met by backward scans; no instruction. */
#define SCAN_ENTRY UINT32_MAX
enum { SCAN_STATES = 8 };

/* A question. Deleted instructions are passed over, and so are REGISTER and MEMORY effects. */
struct scan {
    const struct facts *facts;
    bool backward;
    unsigned states; /* of a path's own small memory: 1 to SCAN_STATES */
    /* Asked at each event in each state, which it may change. On STEP_STOP it sets the verdict's
     * reason and witness, on STEP_DONE its witness; assumptions that it adds count for all who come
     * this way. It must not depend on who asks. */
    enum step (*visit)(const struct scan *scan, uint32_t i, unsigned *state,
                       struct verdict *verdict);
    enum effect about; /* for visit: what kind of candidate is asked about */
    bool flag;         /* for visit: the question's own switch */
};

enum scan_found {
    SCAN_NOTHING, /* every path goes on without end */
    SCAN_DONE,    /* none stops; witness is where one of them was answered */
    SCAN_STOP,    /* one stops: reason and witness */
};

struct scan_answer {
    enum scan_found found;
    struct verdict verdict; /* reason is REASON_NONE unless a path stopped */
};

/* answers[k] is what holds just behind (backward: just before) event at[k] in state; at ascends. */
void scan_run(const struct scan *scan, const uint32_t *at, uint32_t count, unsigned state,
              struct scan_answer *answers);

/* For visit: the end of a path at a decline. */
static inline enum step scan_stop(struct verdict *verdict, enum reason reason, uint32_t witness)
{
    verdict->reason = reason;
    verdict->witness = witness;
    return STEP_STOP;
}

/* For visit: the end of a path at what answers it. */
static inline enum step scan_done(struct verdict *verdict, uint32_t witness)
{
    verdict->witness = witness;
    return STEP_DONE;
}

/* For visit at SCAN_ENTRY: nothing comes before a kernel; what calls a .func is not known. */
static inline enum step scan_entry(const struct scan *scan, struct verdict *verdict)
{
    if (scan->facts->function->is_entry) return STEP_DONE;
    return scan_stop(verdict, REASON_FUNCTION_EDGE, NO_WITNESS);
}

#endif
