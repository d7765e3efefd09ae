/* POST /v1/batch: NDJSON in, NDJSON out, line by line. Each line is a request of /v1/optimize, or
 * of what route=… in the query names, by itself, with caches and --isolate; several are in work at
 * a time, answers keep the order. Uses the connection only to suspend it and to
 * resume it. */
#ifndef SERVER_WORK_BATCH_H
#define SERVER_WORK_BATCH_H

#include "server/base/message.h"
#include "server/base/service.h"
#include "server/work/deadlines.h"
#include "server/work/queue.h"

struct batch;

/* What a batch works with. suspend and resume are called under its lock. */
struct batch_setup {
    struct service *service;
    struct queue *queue;
    struct deadlines *deadlines; /* for the deadline of each line */
    void *connection;
    void (*suspend)(void *connection);
    void (*resume)(void *connection);
};

/* The route of that path, if lines of a batch may be for it; else NULL. */
const struct route *batch_route(const char *path);

/* request's head says what route the lines are for, as batch_route takes it, how the body is coded
 * and what coding the answer may have: *coding, NULL for none. request may end before the batch. */
struct batch *batch_new(const struct batch_setup *setup, const struct request *request,
                        const char **coding);

enum batch_outcome {
    BATCH_SAME,      /* no line became complete, or blank ones only */
    BATCH_PROGRESS,  /* at least one with something in it did */
    BATCH_SUSPENDED, /* enough lines wait: the connection is suspended until there are fewer */
    BATCH_CLOSED     /* a limit was met, or the body is corrupt: the rest is for nothing */
};

/* Bytes of the body, as they were sent. Lines are begun as soon as they are whole. */
enum batch_outcome batch_feed(struct batch *batch, const char *bytes, size_t len);

/* The body is complete. */
void batch_finish(struct batch *batch);

/* At most size bytes of the answer, or: 0, the connection was suspended until there are more; END,
 * there are no more; BROKEN, they could not be compressed. */
enum { BATCH_END = -1, BATCH_BROKEN = -2 };
long batch_read(struct batch *batch, char *bytes, size_t size);

/* The connection is closed or has all answers: waiting lines are dropped. */
void batch_leave(struct batch *batch);

#endif
