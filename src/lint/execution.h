/* One possible execution of the kernel by one CTA: the first thread of each warp is simulated, and
 * its accesses to shared and tensor memory, signals and waits are listed (execution.c). Then the
 * threads are run against each other: an access happens before another one if a chain of signals
 * and waits leads from its completion to the issue of the other one (execution_order.c). Proxy
 * fences are not considered; other codes look for these. */
#ifndef PTXOPT_LINT_EXECUTION_H
#define PTXOPT_LINT_EXECUTION_H

#include "lint/interpret.h"
#include "lint/lint.h"
#include "value/lanes.h"

enum { EXECUTION_THREADS = 32, EXECUTION_CHANNELS = 64, EXECUTION_EVENTS = 4096 };

enum execution_kind {
    EXECUTION_ACCESS,
    EXECUTION_NOTHING,   /* only what completes there matters */
    EXECUTION_ARRIVE,    /* arrives at a channel */
    EXECUTION_COMMIT,    /* arrives when all earlier mma, cp and shift of the thread are complete */
    EXECUTION_PARITY,    /* waits for a phase of that parity */
    EXECUTION_OWN_PHASE, /* waits for the phase of the last arrival of the thread */
    EXECUTION_BEFORE,    /* tcgen05.fence::before_thread_sync */
    EXECUTION_AFTER,     /* tcgen05.fence::after_thread_sync */
    EXECUTION_FENCE      /* a memory fence, which makes a relaxed arrival or wait stronger */
};

/* What one thread does. */
struct execution_event {
    uint32_t instr;
    uint32_t channel; /* index in channels */
    uint32_t weight;  /* of an arrival: how many arrivals the warp makes */
    uint32_t group;   /* of an arrival: the copies that its phase waits for */
    uint8_t kind;     /* enum execution_kind */
    uint8_t parity;
    bool relaxed; /* an arrival or wait at an mbarrier that orders only with a tcgen05 fence */
    bool at_once; /* a wait that may return at once: a phase of that parity is known to be over */
};

/* What an access needs to be complete. */
enum execution_end {
    EXECUTION_BY_THREAD, /* its thread has come to the event `done` */
    EXECUTION_BY_COMMIT, /* a commit after it */
    EXECUTION_BY_COPY    /* the phase for which its group is counted */
};

#define EXECUTION_NEVER UINT32_MAX

struct execution_access {
    uint32_t thread, event, instr;
    bool tensor; /* tensor memory; otherwise shared memory */
    bool writes, async;
    uint8_t ends;       /* enum execution_end */
    uint8_t lanes;      /* of tensor memory: each bit stands for 16 lanes */
    uint32_t done;      /* EXECUTION_BY_THREAD: an event of the thread, or EXECUTION_NEVER */
    uint32_t group;     /* EXECUTION_BY_COPY */
    uint32_t base;      /* base of a struct value */
    int64_t first, end; /* bytes or columns after base: at least these */
};

/* An mbarrier, or a barrier of the CTA or the cluster. */
struct execution_channel {
    struct value key;
    uint8_t kind;   /* enum channel */
    bool opaque;    /* it is not known which signals end which phase: nobody passes a wait */
    int64_t counts; /* arrivals that end a phase; 0: not known */
};

/* The phase for which a group of copies is counted. */
struct execution_group {
    uint32_t channel, phase; /* phase: EXECUTION_NEVER if it is not known */
};

/* The phase after the one that a thread waits for may end before the thread has returned from its
 * wait, so that it waits for a third phase: the first such wait of the execution. */
struct execution_overrun {
    uint32_t wait, signal; /* instructions; NO_INSTR: there is none */
};

struct execution_thread {
    struct VEC(struct execution_event) events;
    uint32_t copies; /* threads that do the same, this one included; 0: another one stands for it */
    uint32_t next;   /* the first event that is not executed yet */
    uint32_t first;  /* number of its first event among those of all threads */
};

struct execution {
    struct lint *lint;
    uint32_t thread_count, channel_count;
    bool unknown; /* some signal is not understood, the CTA has one warp, or it is not known how
                     many at most: nothing is known */
    bool relaxed; /* some event is relaxed */
    struct interpret_gaps gaps[2]; /* of what the recorder follows, and of what only the observer
                                      follows */
    struct execution_thread threads[EXECUTION_THREADS];
    struct execution_channel channels[EXECUTION_CHANNELS];
    struct VEC(struct execution_access) accesses;
    struct VEC(struct execution_group) groups;
    struct execution_overrun overrun;
    /* For each event of each thread, width numbers: how many events of each thread are known to be
     * executed; for each thread, how many of its mma, cp and shift are complete; for each channel,
     * how many phases. */
    uint32_t *known, width;
};

/* Another user of the simulation, so that each thread is simulated once for both. */
struct execution_observer {
    interpret_interest *interest;
    interpret_look *look; /* called for what is of interest; false: no more of this thread */
    bool (*done)(const void *context);
    void (*begin)(void *context, uint32_t thread); /* of each thread, until the observer is done */
    void (*end)(void *context, bool followed);     /* followed: by interpret_thread */
    void *context;
};

/* Simulates all threads, for the observer too, and tells the gaps if the observer is not done at
 * the end. Call it before execution_of, which then returns what was recorded. */
void execution_observe(struct lint *lint, const struct execution_observer *observer);

/* What the threads do; tells the gaps. Simulates the threads unless that is done. The result
 * belongs to lint. */
struct execution *execution_of(struct lint *lint);
void execution_free(struct execution *x); /* x may be NULL */

/* Runs the threads against each other. by_fences: a relaxed arrival tells only of what is in front
 * of a tcgen05 fence before it, and what a relaxed wait tells counts only behind a tcgen05 fence:
 * that is the order of tcgen05 operations. Calling it again replaces the order. */
void execution_order(struct execution *x, bool by_fences);

/* The event of the access was executed. */
static inline bool execution_has(const struct execution *x, const struct execution_access *a)
{
    return a->event < x->threads[a->thread].next;
}

/* How many events of the thread are known to be executed when b is issued. */
uint32_t execution_known(const struct execution *x, const struct execution_access *b,
                         uint32_t thread);

/* Access a is complete before b is issued, on every schedule. */
bool execution_before(const struct execution *x, const struct execution_access *a,
                      const struct execution_access *b);

#endif
