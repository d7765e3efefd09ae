/* Passes one request from the connection's thread to a worker and back. Uses the connection
 * only to suspend and resume it. */
#ifndef SERVER_WORK_EXCHANGE_H
#define SERVER_WORK_EXCHANGE_H

#include <pthread.h>

#include "server/handle/routes.h"
#include "server/work/batch.h"
#include "server/work/clients.h"

enum exchange_state {
    EXCHANGE_RECEIVING,
    EXCHANGE_WORKING, /* in the queue or in work: the connection is suspended */
    EXCHANGE_DONE,    /* reply is there; of a batch its head */
    EXCHANGE_LATE     /* late is there, reply still belongs to the worker */
};

struct exchange {
    struct job job; /* first: a job is cast to its exchange */
    struct service *service;
    struct clients *clients;
    const struct route *route;
    struct request request;
    struct reply reply, late;
    struct fields always; /* header fields of the answer, whichever it is */
    struct batch *batch;  /* where the route streams */
    bool is_refused;      /* reply is an error: the body is read and dropped */
    size_t received, dropped, sent;
    size_t reserved;     /* bytes of the body that service_reserve gave */
    struct queue *queue; /* where it was put */
    struct deadlines *deadlines;
    struct deadline *deadline; /* of the work; NULL before it */
    uint64_t begin_us;
    atomic_bool abandoned; /* the worker's answer is no longer needed */

    pthread_mutex_t lock; /* of all below */
    enum exchange_state state;
    unsigned references;
    bool gone;      /* the connection ended */
    bool suspended; /* resume is owed */
    void *connection;
    void (*resume)(void *connection);
};

struct exchange *exchange_new(struct service *service, struct clients *clients);

/* Bytes of the body. A refused one is read and dropped, so that the client reads the
 * answer; false: it is so much that the connection is dropped, too. */
enum { EXCHANGE_DROPPED_MOST = 16 << 20 };
bool exchange_receive(struct exchange *exchange, const char *bytes, size_t len);
bool exchange_drop(struct exchange *exchange, size_t len);

/* Gives it to a worker; when --work-timeout is over the answer is 503 in place of the worker's.
 * False: the queue is full or the client has too many, and reply says so. To be called with the
 * connection suspended; it is resumed when there is something to send. */
bool exchange_start(struct exchange *exchange, struct queue *queue, struct deadlines *deadlines);

/* Makes it a batch, before its body. False as above; setup lacks only the connection. */
bool exchange_start_batch(struct exchange *exchange, struct batch_setup setup);

/* The answer is no longer needed: the worker may end without one. */
void exchange_abandon(struct exchange *exchange);

/* Into the log and the metrics; is_complete: the client has the answer. */
void exchange_log(const struct exchange *exchange, bool is_complete);

/* The connection has its answer, or is closed. */
void exchange_leave(struct exchange *exchange);

#endif
