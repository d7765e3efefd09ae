/* One request on its way: from the connection's thread to a worker and back. Knows the connection
 * only as something that can be suspended and resumed. */
#ifndef SERVER_EXCHANGE_H
#define SERVER_EXCHANGE_H

#include <pthread.h>

#include "server/clients.h"
#include "server/message.h"
#include "server/queue.h"
#include "server/routes.h"
#include "server/watch.h"

enum exchange_state {
    EXCHANGE_RECEIVING,
    EXCHANGE_WORKING,   /* in the queue or in work: the connection is suspended */
    EXCHANGE_STREAMING, /* reply's head is there, its body comes through the sink */
    EXCHANGE_DONE,      /* reply is there */
    EXCHANGE_LATE       /* late is there, reply still belongs to the worker */
};

struct exchange {
    struct job job;   /* first: a job is cast to its exchange */
    struct sink sink; /* second, likewise */
    struct service *service;
    struct clients *clients;
    const struct route *route;
    struct request request;
    struct reply reply, late;
    bool is_refused; /* reply is an error: the body is read and dropped */
    size_t received, dropped;
    uint64_t begin_us;

    pthread_mutex_t lock; /* of all below */
    enum exchange_state state;
    unsigned references;
    bool gone;      /* the connection ended */
    bool suspended; /* resume is owed */
    bool ended;     /* nothing more comes through the sink */
    struct buf stream;
    size_t streamed;
    void *connection;
    void (*resume)(void *connection);
};

struct exchange *exchange_new(struct service *service, struct clients *clients);
void exchange_release(struct exchange *exchange);

/* Gives it to a worker. False: the queue is full or the client has too many, and reply says so. To
 * be called with the connection suspended; it is resumed when there is something to send. */
bool exchange_start(struct exchange *exchange, struct queue *queue);

/* The time is up: answers 503 in place of the worker, whose answer is dropped. */
void exchange_expire(void *exchange);

/* At most size bytes of a stream: 0 when the connection was marked suspended, -1 at the end.
 * suspend is called under the lock. */
long exchange_read(struct exchange *exchange, char *bytes, size_t size,
                   void (*suspend)(void *connection));

#endif
