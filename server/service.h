/* The service behind the connections: what all requests share, and the way of one request from
 * its bytes to its answer. Knows nothing of sockets. */
#ifndef SERVER_SERVICE_H
#define SERVER_SERVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/work.h"
#include "server/base/message.h"
#include "server/base/metrics.h"
#include "server/base/settings.h"
#include "server/store/digest.h"

struct cache;
struct remote;
struct isolate;
struct route;

/* Zero-initialise but for settings; cache, remote and isolate may be NULL. */
struct service {
    const struct settings *settings;
    char build[DIGEST_HEX + 1]; /* of the program's own bytes; answers of two builds never mix */
    struct metrics metrics;
    struct cache *cache;
    struct remote *remote;
    struct isolate *isolate;
    atomic_bool draining;   /* the end is near: /readyz says so */
    atomic_bool closing;    /* and nothing new is begun */
    atomic_size_t buffered; /* bytes of bodies and of batches in memory */
};

/* Accounts for bytes that are kept for a client: false, and nothing is, when that would be more
 * than
 * --max-buffered. */
bool service_reserve(struct service *service, size_t bytes);
void service_release(struct service *service, size_t bytes);

/* What is wrong with a request before its body is read, as a problem in reply: false. Else true,
 * and *route and request->wants are set. Errors: 404, 405, 406, 411, 413, 415. */
bool service_admit(const struct service *service, struct request *request,
                   const struct route **route, struct reply *reply);

/* The answer to a whole request that was admitted: decompresses its body, looks in the caches,
 * runs the handler (in a process of its own under --isolate) and compresses. */
void service_answer(struct service *service, const struct route *route, struct request *request,
                    struct reply *reply);

/* A result that a cache holds under key (64 hexadecimal digits); false when none does. request:
 * what it would answer, NULL when that is not known. */
bool service_recall(struct service *service, const char *key, const struct request *request,
                    struct reply *reply);

/* The handler, in a process of its own under --isolate. */
void service_run(struct service *service, const struct route *route, const struct request *request,
                 struct reply *reply);

/* The handler alone, without caches: what a process of --isolate does. Within --work-memory, and
 * until the request is abandoned; when it comes to no end reply says why. */
enum work_end service_handle(struct service *service, const struct route *route,
                             const struct request *request, struct reply *reply);

#endif
