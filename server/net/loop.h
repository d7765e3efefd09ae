/* The threads that move the bytes of connections, and accept new ones. */
#ifndef SERVER_NET_LOOP_H
#define SERVER_NET_LOOP_H

#include "server/base/service.h"
#include "server/net/link.h"

/* What makes answers of requests: one for each thread, and called in it only. */
struct engine {
    void *context;
    int fd; /* readable when move has something to do */
    join_function *join;
    void (*abandon)(void *request); /* nobody waits for its answer any more */
    bool (*move)(void *context);    /* true: again at once */
};

struct loops;

/* One thread an engine. listen_fd listens already, and is not blocking from now on. tls may be
 * NULL. NULL: the system is out of threads or files. */
struct loops *loops_new(struct service *service, struct tls *tls, int listen_fd,
                        const struct engine *engines, size_t count);

/* Requests whose answers are not sent, or that engines have not ended. */
unsigned loops_busy(struct loops *loops);

/* Ends the threads and the connections; the engines may still close their channels. */
/* Has each thread turned since this was called last? */
bool loops_live(struct loops *loops);

void loops_stop(struct loops *loops);

/* After the engines were ended. */
void loops_free(struct loops *loops);

#endif
