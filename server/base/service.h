/* The state that all requests share; independent of sockets and of how a request is answered. */
#ifndef SERVER_BASE_SERVICE_H
#define SERVER_BASE_SERVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "server/base/allowance.h"
#include "server/base/metrics.h"
#include "server/base/network.h"
#include "server/base/settings.h"

struct cache;
struct digests;
struct disk;
struct remote;
struct isolate;
struct spans;

/* Zero-initialise but for settings; allowances, spans, digests, cache, disk, remote and isolate may
 * be NULL. */
struct service {
    const struct settings *settings;
    const char *build; /* digest of the program's own bytes: answers of two builds never mix */
    struct networks trusted_proxies;
    struct metrics metrics;
    struct allowances *allowances; /* of tokens */
    struct spans *spans;           /* NULL: none are sent */
    struct digests *digests;       /* of bodies; NULL: none are remembered */
    struct cache *cache;
    struct disk *disk;
    struct remote *remote;
    struct isolate *isolate;
    atomic_bool draining;   /* the end is near: /readyz says so */
    atomic_bool closing;    /* and nothing new is begun */
    atomic_size_t buffered; /* bytes of bodies and of batches in memory */
};

/* Counts bytes that are kept for a client: false, without counting them, if the sum would be more
 * than --max-buffered. */
bool service_reserve(struct service *service, size_t bytes);
void service_release(struct service *service, size_t bytes);

#endif
