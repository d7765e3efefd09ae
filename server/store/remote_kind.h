/* The protocols of a cache that replicas share: what remote.c uses of remote_http.c, remote_s3.c
 * and remote_redis.c. */
#ifndef SERVER_STORE_REMOTE_KIND_H
#define SERVER_STORE_REMOTE_KIND_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "server/base/settings.h"

enum remote_outcome {
    REMOTE_FOUND,
    REMOTE_ABSENT,
    REMOTE_WRONG, /* this entry is wrong, but others may be correct */
    REMOTE_FAILED /* the server does not answer, or fails */
};

/* A protocol. A link is a connection that one thread at a time uses. open fails (NULL) for a wrong
 * url only; without an answer it is get and put that fail. */
struct remote_kind {
    void *(*open)(const char *url, const struct settings *settings);
    void (*close)(void *link);
    enum remote_outcome (*get)(void *link, const char *key, struct buf *out);
    bool (*put)(void *link, const char *key, struct str value);
    const char *(*why)(const void *link); /* the last of them failed; valid until the next */
};

extern const struct remote_kind remote_http, remote_s3, remote_redis;

#endif
