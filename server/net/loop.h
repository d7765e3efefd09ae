/* The threads that move the bytes of connections, and accept new ones. */
#ifndef SERVER_NET_LOOP_H
#define SERVER_NET_LOOP_H

#include "server/base/service.h"
#include "server/net/link.h"
#include "server/net/listen.h"

/* What makes answers of requests: one for each thread, and called in it only. */
struct engine {
    void *context;
    int fd; /* readable when move has something to do */
    join_function *join;
    void (*abandon)(void *request); /* its answer is no longer needed */
    void (*finish)(void *request, bool is_sent);
    bool (*move)(void *context); /* true: again at once */
};

struct loops;

/* One thread an engine. The sockets listen already, are not blocking from now on, and are closed by
 * loops_finish. tls may be NULL. NULL: the system is out of threads or files. */
struct loops *loops_new(struct service *service, struct tls *tls, struct listens *listens,
                        const struct engine *engines, size_t count);

/* Requests whose answers are not sent, or that engines have not ended. */
unsigned loops_busy(struct loops *loops);

/* Takes the connections that the system has accepted and no others, and ends each when it is idle
 * for a second. Returns at once. */
void loops_finish(struct loops *loops);

/* Connections that are still open, once loops_finish was called. */
unsigned loops_left(struct loops *loops);

/* Ends the threads and the connections; the engines may still close their channels. */
/* Whether each thread has run a round since this was called last. */
bool loops_live(struct loops *loops);

void loops_stop(struct loops *loops);

/* After the engines were ended. */
void loops_free(struct loops *loops);

#endif
