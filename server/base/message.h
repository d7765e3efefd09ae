/* A request and its answer as plain structs: what handlers see instead of a connection, so that
 * they run the same on a socket, in a test and in a separate process. */
#ifndef SERVER_BASE_MESSAGE_H
#define SERVER_BASE_MESSAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "server/base/trace.h"

struct field {
    const char *name, *value;
};

struct fields VEC(struct field);

/* The value of the first field of that name (case is ignored), or NULL. */
const char *fields_find(const struct fields *fields, const char *name);

struct allowance;
enum { REQUEST_ID_MAX = 64 };

/* All strings live in the arena. body may be replaced by its decompressed form, see service.h. */
struct request {
    struct arena arena;
    const char *method, *path;
    const char *client;          /* the name of its token or certificate, or its address */
    const char *address;         /* the client's; "unix" on a unix socket */
    struct allowance *allowance; /* of its token; NULL: none */
    const char *host;            /* the target, as HOST[:PORT]; NULL when it has none */
    struct fields query, headers;
    struct buf body;
    char id[REQUEST_ID_MAX + 1];
    struct trace trace;
    const char *wants; /* the media type that Accept chose, one of the route's */
    /* When the work on it may end without an answer: once this is true (NULL: never), or it is that
     * late by clock_now_us (0: never). */
    const atomic_bool *abandoned;
    uint64_t deadline_us;
};

struct reply {
    int status;
    struct arena arena;
    struct fields headers; /* Content-Type too */
    struct buf body;
    struct str fixed; /* a body that is not the reply's own; used when body is empty */
    void *owner;      /* of fixed, for release; NULL: fixed is static */
    void (*release)(void *owner);
    bool keep; /* may be cached */
    bool from_cache;
};

/* Adds a field with copies of its strings. */
void request_add(struct request *request, struct fields *fields, const char *name,
                 const char *value);
void request_free(struct request *request);

void reply_header(struct reply *reply, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct str reply_bytes(const struct reply *reply);
void reply_free(struct reply *reply);

/* Converts to bytes and back, for the caches and for --isolate. The target is zero-initialised, and
 * unchanged if false is returned: out of memory or, for unpack, bytes that pack has not made. */
bool message_pack_request(const struct request *request, struct buf *out);
bool message_unpack_request(struct str bytes, struct request *request);
bool message_pack_reply(const struct reply *reply, struct buf *out);
bool message_unpack_reply(struct str bytes, struct reply *reply);

/* As message_unpack_reply, but the body is not copied from bytes: it is fixed. */
bool message_borrow_reply(struct str bytes, struct reply *reply);

#endif
