/* Random threads for events.c: the thread that loses statements, as the monitor's graph, and other
 * threads around it; and a chooser that enumerates everything that a thread or a matching may do.
 */
#ifndef PTXOPT_TESTS_MODEL_EVENTS_DRAW_H
#define PTXOPT_TESTS_MODEL_EVENTS_DRAW_H

#include "events_graph.h"

enum { BLOCKS_MAX = 4, EVENTS_MAX = 64, CHOICES_MAX = 64 };
/* The objects that threads arrive at and wait for: mbarriers, then flags in memory. */
enum { MBARRIERS = 3, OBJECTS = 5 };

struct subject {
    struct monitor_graph graph;
    struct monitor_event events[EVENTS_MAX];
    struct flow_block blocks[BLOCKS_MAX];
    uint32_t succs[BLOCKS_MAX * 3];
};

static const uint32_t class_numbers[CLASSES] = {CLASS_MMA_A, CLASS_MMA_B, CLASS_CP_A, CLASS_SHIFT_A,
                                                CLASS_CP4_A};
static const uint32_t register_of_class[CLASSES] = {0, 1, 0, 0, 0};

static inline bool draw_pairs(const void *x, const void *y)
{
    return classes_pair(*(const uint32_t *)x, *(const uint32_t *)y);
}

/* xorshift; the same programs on every machine. */
static inline uint32_t draw(uint64_t *state, uint32_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 33) % below;
}

static const uint8_t ordering[] = {
    EVENT_RELEASE_BARRIER, EVENT_RELEASE_BARRIER, EVENT_RELEASE_MEMORY, EVENT_ACQUIRE_BARRIER,
    EVENT_ACQUIRE_BARRIER, EVENT_ACQUIRE_MEMORY,  EVENT_BOTH_BARRIER,   EVENT_BOTH_MEMORY,
};

static const uint8_t others[] = {
    EVENT_LD,      EVENT_LD,      EVENT_ST,     EVENT_PIPE,   EVENT_PIPE,   EVENT_WAIT_LD,
    EVENT_WAIT_LD, EVENT_WAIT_ST, EVENT_BEFORE, EVENT_BEFORE, EVENT_BEFORE, EVENT_AFTER,
    EVENT_AFTER,   EVENT_AFTER,   EVENT_COMMIT, EVENT_ALLOC,  EVENT_WRITE,
};

/* After a commit every second event is an execution-ordering operation. */
static inline struct monitor_event draw_event(uint64_t *state, bool behind_commit)
{
    struct monitor_event event = {.detail = MONITOR_NONE};
    bool orders = behind_commit ? draw(state, 2) : draw(state, 20) < 4;
    event.kind =
        orders ? ordering[draw(state, sizeof ordering)] : others[draw(state, sizeof others)];
    bool memory = event.kind == EVENT_RELEASE_MEMORY || event.kind == EVENT_ACQUIRE_MEMORY ||
                  event.kind == EVENT_BOTH_MEMORY;
    event.tag = memory ? MBARRIERS + draw(state, OBJECTS - MBARRIERS) : draw(state, MBARRIERS);
    if (event.kind == EVENT_PIPE) event.detail = draw(state, CLASSES);
    if (event.kind == EVENT_WRITE) event.detail = draw(state, 2);
    if (event.kind < EVENT_PIPE) event.detail = cells_class(draw(state, CELLS_CLASSES + 1));
    event.guarded = !draw(state, event.kind == EVENT_PIPE ? 4 : 8);
    return event;
}

static inline bool draw_is_sync(uint8_t kind)
{
    return kind >= EVENT_WAIT_LD && kind <= EVENT_AFTER;
}

/* A path through the graph's blocks, then a block that the shape enters twice. */
static const struct shape {
    uint32_t block_count, edges[4][2], edge_count;
} shapes[] = {
    {1, {{0, 0}}, 0},
    {1, {{0, 0}}, 0},
    {3, {{0, 1}, {0, 2}, {1, 2}}, 3},
    {4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, 4},
    {3, {{0, 1}, {1, 1}, {1, 2}}, 3},
    {4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}}, 4},
};

static inline void subject_init(struct subject *s, const struct shape *shape,
                                const struct transfer_tables *tables)
{
    static const struct monitor_class classes[CLASSES] = {
        {register_of_class + 0, 1, class_numbers + 0},
        {register_of_class + 1, 1, class_numbers + 1},
        {register_of_class + 2, 1, class_numbers + 2},
        {register_of_class + 3, 1, class_numbers + 3},
        {register_of_class + 4, 1, class_numbers + 4},
    };
    s->graph = (struct monitor_graph){.events = s->events,
                                      .blocks = s->blocks,
                                      .succs = s->succs,
                                      .block_count = shape->block_count,
                                      .is_entry = true,
                                      .pipes = {classes, CLASSES, draw_pairs},
                                      .accesses = cells_told_apart(),
                                      .tables = tables};
    uint32_t at = 0;
    for (uint32_t i = 0; i < shape->block_count; i++) {
        s->blocks[i].succ_start = at;
        for (uint32_t e = 0; e < shape->edge_count; e++)
            if (shape->edges[e][0] == i) s->succs[at++] = shape->edges[e][1];
        s->blocks[i].succ_end = at;
    }
}

/* Removes about a third of the removable events, at least one; false if there is none. */
static inline bool draw_deletions(uint64_t *state, struct subject *s)
{
    uint32_t sites[EVENTS_MAX], count = 0;
    for (uint32_t i = 0; i < s->graph.event_count; i++) {
        struct monitor_event *event = &s->events[i];
        if (draw_is_sync(event->kind) && !event->guarded) sites[count++] = i;
    }
    bool alone = draw(state, 2);
    for (uint32_t i = 0; !alone && i < count; i++) s->events[sites[i]].deleted = !draw(state, 3);
    if (count) s->events[sites[draw(state, count)]].deleted = true;
    for (uint32_t i = 0; !count && i < s->graph.event_count; i++)
        if (s->events[i].joined) return true;
    return count;
}

/* Adds the event, and what it receives and publishes without causality, as lower.c does. */
static inline void subject_add(struct subject *s, uint32_t *at, struct monitor_event event,
                               bool takes_relaxed, bool gives_relaxed)
{
    struct monitor_event beside = {.detail = MONITOR_NONE, .guarded = event.guarded};
    bool barrier = event.kind == EVENT_RELEASE_BARRIER || event.kind == EVENT_BOTH_BARRIER;
    bool is_order = event.kind >= EVENT_RELEASE_BARRIER && event.kind <= EVENT_BOTH_MEMORY;
    if (is_order && op_gives(event.kind) && gives_relaxed) {
        beside.kind = barrier ? EVENT_RELAXED_RELEASE_BARRIER : EVENT_RELAXED_RELEASE_MEMORY;
        s->events[(*at)++] = beside;
    }
    s->events[(*at)++] = event;
    if (is_order && op_takes(event.kind)) {
        beside.kind = takes_relaxed ? EVENT_RELAXED_RECEIPT : EVENT_RECEIPT;
        s->events[(*at)++] = beside;
    }
}

static inline void draw_subject(uint64_t *state, struct subject *s,
                                const struct transfer_tables *tables)
{
    do {
        const struct shape *shape = &shapes[draw(state, sizeof shapes / sizeof *shapes)];
        subject_init(s, shape, tables);
        uint32_t at = 0;
        for (uint32_t i = 0; i < shape->block_count; i++) {
            s->blocks[i].start = at;
            uint32_t count = shape->block_count == 1 ? 2 + draw(state, 7) : draw(state, 4);
            for (bool committed = false; count; count--) {
                struct monitor_event event = draw_event(state, committed);
                committed = event.kind == EVENT_COMMIT;
                subject_add(s, &at, event, !draw(state, 3), !draw(state, 3));
            }
            if (!draw(state, 16)) { /* `@p fence::before`, removed, and `@p commit` */
                s->events[at++] = (struct monitor_event){
                    .kind = EVENT_BEFORE, .deleted = true, .guarded = true, .detail = MONITOR_NONE};
                s->events[at++] = (struct monitor_event){
                    .kind = EVENT_COMMIT, .joined = true, .guarded = true, .detail = MONITOR_NONE};
            }
            s->blocks[i].end = at;
        }
        s->events[at++] = (struct monitor_event){.kind = EVENT_EXIT, .detail = MONITOR_NONE};
        s->blocks[shape->block_count - 1].end = at;
        s->graph.event_count = at;
    } while (!draw_deletions(state, s));
}

/* Enumerates all sequences of answers; if there are too many, the first ones. */
struct chooser {
    uint8_t answers[CHOICES_MAX], limits[CHOICES_MAX];
    int depth, at;
};

static inline uint32_t choose(struct chooser *c, uint32_t among)
{
    if (among < 2 || c->at == CHOICES_MAX) return 0;
    if (c->at == c->depth) {
        c->answers[c->depth] = 0;
        c->limits[c->depth++] = (uint8_t)among;
    }
    return c->answers[c->at++];
}

static inline bool choose_next(struct chooser *c)
{
    c->depth = c->at;
    c->at = 0;
    while (c->depth && ++c->answers[c->depth - 1] == c->limits[c->depth - 1]) c->depth--;
    return c->depth;
}

/* The bounds of a run: how often it enters a block, and how many operations it has. */
struct reach {
    int visits, length, paths;
};

/* Not an operation, but a property of the operation after it or before it. */
static inline bool is_beside(uint8_t kind)
{
    return kind >= EVENT_RECEIPT && kind <= EVENT_RELAXED_RELEASE_MEMORY;
}

static inline bool tells_relaxed(uint8_t kind)
{
    return kind == EVENT_RELAXED_RELEASE_BARRIER || kind == EVENT_RELAXED_RELEASE_MEMORY;
}

/* One unrolled run of the subject, cut off at its bounds: what is lost before them is lost. */
static inline void run_subject(const struct subject *s, struct chooser *c,
                               const struct reach *reach, struct thread *thread)
{
    uint8_t versions[2] = {0};
    bool before_ran = false;
    int visits[BLOCKS_MAX] = {0};
    thread->count = 0;
    for (uint32_t at = 0;;) {
        const struct flow_block *block = &s->blocks[at];
        if (visits[at]++ == reach->visits) return;
        for (uint32_t i = block->start; i < block->end; i++) {
            const struct monitor_event *event = &s->events[i];
            if (is_beside(event->kind)) continue;
            bool runs = event->joined ? before_ran : !event->guarded || !choose(c, 2);
            before_ran = runs;
            if (!runs) continue;
            if (event->kind == EVENT_WRITE) {
                versions[event->detail]++;
                continue;
            }
            if (thread->count == reach->length) return;
            struct op op = {.kind = event->kind, .deleted = event->deleted};
            op.gives_relaxed = i > block->start && tells_relaxed(s->events[i - 1].kind);
            op.takes_relaxed = i + 1 < block->end && s->events[i + 1].kind == EVENT_RELAXED_RECEIPT;
            op.object = (uint8_t)event->tag;
            if (op.kind < EVENT_PIPE) op.spared = CELLS_ALL & ~cells_of(event->detail);
            if (op.kind == EVENT_PIPE) {
                op.class = (uint8_t)event->detail;
                op.version = versions[register_of_class[op.class]];
            }
            thread->ops[thread->count++] = op;
        }
        uint32_t count = block->succ_end - block->succ_start;
        if (!count) return;
        at = s->succs[block->succ_start + choose(c, count)];
    }
}

static inline void draw_thread(uint64_t *state, struct thread *thread)
{
    thread->count = 0;
    for (uint32_t n = 3 + draw(state, 6); n; n--) {
        struct monitor_event event = draw_event(state, false);
        if (event.kind == EVENT_WRITE) continue;
        struct op op = {.kind = event.kind, .object = (uint8_t)event.tag};
        if (op.kind == EVENT_PIPE) op.class = (uint8_t)event.detail;
        bool meets = op.kind == EVENT_BOTH_BARRIER; /* whose two sides are the same */
        op.takes_relaxed = !meets && op_takes(op.kind) && !draw(state, 4);
        op.gives_relaxed =
            !meets && op_gives(op.kind) && op.kind != EVENT_COMMIT && !draw(state, 4);
        thread->ops[thread->count++] = op;
    }
    thread->ops[thread->count++] = (struct op){.kind = EVENT_EXIT};
}

static inline void add_match(struct execution *x, int from_thread, int from, int to_thread, int to)
{
    if (x->match_count == MATCHES_MAX || (from_thread == to_thread && from == to)) return;
    x->matches[x->match_count++] =
        (struct match){(uint8_t)from_thread, (uint8_t)from, (uint8_t)to_thread, (uint8_t)to};
}

/* A commit also arrives at an mbarrier; an atomic both reads and writes its flag. */
static inline bool arrives(const struct op *op, int object)
{
    bool does = op->kind == EVENT_RELEASE_BARRIER || op->kind == EVENT_RELEASE_MEMORY ||
                op->kind == EVENT_COMMIT || op->kind == EVENT_BOTH_MEMORY;
    return does && op->object == object;
}

static inline bool waits(const struct op *op, int object)
{
    bool does = op->kind == EVENT_ACQUIRE_BARRIER || op->kind == EVENT_ACQUIRE_MEMORY ||
                op->kind == EVENT_BOTH_MEMORY;
    return does && op->object == object;
}

/* The k-th wait of a thread for an object is for phase k. If the phase is not reached, the wait
 * returned without it. */
static inline void match_phase(struct execution *x, int object, int phase, int thread, int op)
{
    for (int t = 0; t < x->thread_count; t++) {
        int seen = 0;
        for (int j = 0; j < x->threads[t].count; j++)
            if (waits(&x->threads[t].ops[j], object) && seen++ == phase)
                add_match(x, thread, op, t, j);
    }
}

/* Arrivals in an order that preserves the order of each thread; the phases of the last mbarrier
 * need two arrivals. */
static inline void match_object(struct execution *x, struct chooser *c, int object)
{
    int next[THREADS_MAX] = {0}, arrived = 0, expected = object == MBARRIERS - 1 ? 2 : 1;
    for (;;) {
        int ready[THREADS_MAX], count = 0;
        for (int t = 0; t < x->thread_count; t++) {
            const struct thread *thread = &x->threads[t];
            while (next[t] < thread->count && !arrives(&thread->ops[next[t]], object)) next[t]++;
            if (next[t] < thread->count) ready[count++] = t;
        }
        if (!count) return;
        int t = ready[choose(c, (uint32_t)count)];
        match_phase(x, object, arrived++ / expected, t, next[t]++);
    }
}

static inline int next_bar(const struct thread *thread, int i)
{
    while (i < thread->count && thread->ops[i].kind != EVENT_BOTH_BARRIER) i++;
    return i;
}

/* The k-th bar.sync of a thread is matched with the k-th of the others. */
static inline void match_bars(struct execution *x)
{
    for (int t = 0; t < x->thread_count; t++)
        for (int u = 0; u < x->thread_count; u++) {
            int i = 0, j = 0;
            while (t != u) {
                i = next_bar(&x->threads[t], i);
                j = next_bar(&x->threads[u], j);
                if (i == x->threads[t].count || j == x->threads[u].count) break;
                add_match(x, t, i++, u, j++);
            }
        }
}

static inline void match_all(struct execution *x, struct chooser *c)
{
    x->match_count = 0;
    match_bars(x);
    for (int object = 0; object < OBJECTS; object++) match_object(x, c, object);
}

static inline void append(struct thread *thread, uint8_t kind)
{
    thread->ops[thread->count++] = (struct op){.kind = kind};
}

/* The context that shows everything about thread 0. Wherever thread 0 may receive something, thread
 * 1 publishes one complete operation and one that is only ordered. Thread 2 receives everything
 * that thread 0 publishes, each time through a separate synchronisation, and then issues an
 * operation. If thread 0 is at a bar.sync, they are at a barrier.arrive and a barrier.wait. */
static inline void surround(struct execution *x)
{
    struct thread *producer = &x->threads[1], *consumer = &x->threads[2];
    x->thread_count = 3;
    x->match_count = producer->count = consumer->count = 0;
    for (int i = 0; i < x->threads[0].count; i++) {
        uint8_t kind = x->threads[0].ops[i].kind;
        if (op_takes(kind)) {
            append(producer, EVENT_PIPE);
            append(producer, EVENT_COMMIT);
            add_match(x, 1, producer->count - 1, 0, i);
            append(producer, EVENT_ST);
            append(producer, EVENT_BEFORE);
            append(producer, EVENT_RELEASE_BARRIER);
            add_match(x, 1, producer->count - 1, 0, i);
        }
        if (op_gives(kind)) {
            append(consumer, EVENT_ACQUIRE_BARRIER);
            add_match(x, 0, i, 2, consumer->count - 1);
            append(consumer, EVENT_AFTER);
            append(consumer, EVENT_ST);
        }
    }
}

#endif
