/* --cache-url: results that replicas share. Whatever goes wrong with it is a miss. */
#ifndef SERVER_STORE_REMOTE_H
#define SERVER_STORE_REMOTE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "server/base/metrics.h"
#include "server/base/settings.h"

struct remote;

/* NULL when the scheme of url is not known or not built in, or the rest of it is wrong. Connects to
 * nothing yet. secret: what its entries are signed with; empty for none. */
struct remote *remote_new(const char *url, struct str secret, const struct limits *limits,
                          struct metrics *metrics);
void remote_free(struct remote *remote);

/* Are its entries signed? Else whoever may write to the cache can put anything there. */
bool remote_is_signed(const struct remote *remote);

/* key: 64 hexadecimal digits. What is found was once put under this very key, by who has the
 * secret; without one, unless the cache forges digests, too. Any thread. */
bool remote_get(struct remote *remote, const char *key, struct buf *out);
void remote_put(struct remote *remote, const char *key, struct str value);

/* ---- for remote_http.c and remote_redis.c ---- */

enum remote_outcome {
    REMOTE_FOUND,
    REMOTE_ABSENT,
    REMOTE_WRONG, /* this entry is rubbish; of others that says nothing */
    REMOTE_FAILED /* nobody is there, or is in trouble */
};

/* A protocol. A link is a connection that one thread at a time uses. open fails (NULL) for a wrong
 * url only; what fails when nobody answers are get and put. */
struct remote_kind {
    void (*init)(void); /* once, before there are threads; may be NULL */
    void *(*open)(const char *url, const struct limits *limits);
    void (*close)(void *link);
    enum remote_outcome (*get)(void *link, const char *key, struct buf *out);
    bool (*put)(void *link, const char *key, struct str value);
    const char *(*why)(const void *link); /* the last of them failed; valid until the next */
};

extern const struct remote_kind remote_http, remote_redis;

enum { REMOTE_SEAL_MOST = 256 }; /* bytes that a seal adds */

/* A value with its key and digest or signature around it, and back: false for anything but what
 * seal made for this key with this secret. seal's false: memory is out. */
bool remote_seal(struct str secret, const char *key, struct str value, struct buf *out);
bool remote_unseal(struct str secret, const char *key, struct str sealed, struct str *value);

#endif
