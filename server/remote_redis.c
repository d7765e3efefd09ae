/* The shared cache as a Redis: SET ptxopt:KEY value EX ttl, GET ptxopt:KEY. */
#include "server/remote.h"

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { DEFAULT_PORT = 6379 };

struct link {
    char host[256];
    int port;
    struct timeval timeout;
    unsigned long long ttl_s;
    redisContext *context;
};

static void *redis_open(const char *url, const struct limits *limits)
{
    struct link *link = mem_zalloc(1, sizeof *link);
    const char *host = url + strlen("redis://");
    size_t len = strcspn(host, ":/");
    snprintf(link->host, sizeof link->host, "%.*s", (int)len, host);
    link->port = host[len] == ':' ? atoi(host + len + 1) : DEFAULT_PORT;
    link->timeout.tv_sec = (time_t)(limits->cache_timeout_ms / 1000);
    link->timeout.tv_usec = (suseconds_t)(limits->cache_timeout_ms % 1000 * 1000);
    link->ttl_s = limits->cache_ttl_s;
    return link;
}

static void redis_close(void *argument)
{
    struct link *link = argument;
    if (link->context) redisFree(link->context);
    mem_free(link);
}

static bool connected(struct link *link)
{
    if (link->context) return true;
    link->context = redisConnectWithTimeout(link->host, link->port, link->timeout);
    return link->context && !link->context->err &&
           redisSetTimeout(link->context, link->timeout) == REDIS_OK;
}

static enum remote_outcome redis_get(void *argument, const char *key, struct buf *out)
{
    struct link *link = argument;
    if (!connected(link)) return REMOTE_FAILED;
    redisReply *reply = redisCommand(link->context, "GET ptxopt:%s", key);
    if (!reply) return REMOTE_FAILED;
    enum remote_outcome outcome = REMOTE_FAILED;
    if (reply->type == REDIS_REPLY_NIL) outcome = REMOTE_ABSENT;
    if (reply->type == REDIS_REPLY_STRING) {
        buf_add(out, reply->str, reply->len);
        outcome = REMOTE_FOUND;
    }
    freeReplyObject(reply);
    return outcome;
}

static bool redis_put(void *argument, const char *key, struct str value)
{
    struct link *link = argument;
    if (!connected(link)) return false;
    redisReply *reply = redisCommand(link->context, "SET ptxopt:%s %b EX %llu", key, value.p,
                                     value.n, link->ttl_s);
    bool done = reply && reply->type == REDIS_REPLY_STATUS;
    if (reply) freeReplyObject(reply);
    return done;
}

const struct remote_kind remote_redis = {NULL, redis_open, redis_close, redis_get, redis_put};
