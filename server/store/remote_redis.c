/* The shared cache as a Redis: SET ptxopt:KEY value EX ttl, GET ptxopt:KEY.
 * redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], as redis-cli -u takes it. No TLS: hiredis has
 * it from 1.0 on only. */
#include "server/store/remote_kind.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "server/base/attempt.h"
#include "server/base/clock.h"
#include "server/store/seal.h"

enum { DEFAULT_PORT = 6379 };

struct link {
    char *host, *user, *password; /* curl_free; the last two may be NULL */
    int port, database;
    struct timeval timeout;
    uint64_t timeout_us;
    size_t value_most;
    unsigned long long ttl_s;
    redisContext *context;
    bool is_over;  /* the last reply was over value_most */
    char why[160]; /* the last command failed */
};

static bool read_url_number(CURLU *parsed, CURLUPart part, size_t skip, int most, int *number)
{
    char *text = NULL, *end;
    if (curl_url_get(parsed, part, &text, 0) != CURLUE_OK || strlen(text) <= skip) {
        curl_free(text);
        return true;
    }
    long value = strtol(text + skip, &end, 10);
    bool fine = *end == 0 && value >= 0 && value <= most;
    if (fine) *number = (int)value;
    curl_free(text);
    return fine;
}

static bool read_url(struct link *link, const char *url)
{
    CURLU *parsed = curl_url();
    bool fine = parsed &&
                curl_url_set(parsed, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK &&
                curl_url_get(parsed, CURLUPART_HOST, &link->host, 0) == CURLUE_OK && *link->host;
    link->port = DEFAULT_PORT;
    fine = fine && read_url_number(parsed, CURLUPART_PORT, 0, UINT16_MAX, &link->port) &&
           read_url_number(parsed, CURLUPART_PATH, 1, 1 << 20, &link->database);
    if (fine) {
        curl_url_get(parsed, CURLUPART_USER, &link->user, CURLU_URLDECODE);
        curl_url_get(parsed, CURLUPART_PASSWORD, &link->password, CURLU_URLDECODE);
        if (link->user && !link->password) fine = false;
        /* [::1] is how a URL writes ::1. */
        size_t len = strlen(link->host);
        if (*link->host == '[' && len > 2) {
            link->host[len - 1] = 0;
            memmove(link->host, link->host + 1, len - 1);
        }
    }
    curl_url_cleanup(parsed);
    return fine;
}

static void redis_close(void *argument)
{
    struct link *link = argument;
    if (link->context) redisFree(link->context);
    curl_free(link->host);
    curl_free(link->user);
    curl_free(link->password);
    mem_free(link);
}

static void *redis_open(const char *url, const struct limits *limits)
{
    struct link *link = mem_zalloc(1, sizeof *link);
    if (!read_url(link, url)) {
        redis_close(link);
        return NULL;
    }
    link->timeout.tv_sec = (time_t)(limits->cache_timeout_ms / 1000);
    link->timeout.tv_usec = (suseconds_t)(limits->cache_timeout_ms % 1000 * 1000);
    link->timeout_us = limits->cache_timeout_ms * 1000;
    link->value_most = (size_t)limits->cache_value_bytes + SEAL_MOST;
    link->ttl_s = limits->cache_ttl_s;
    return link;
}

/* ---- commands, each with one deadline for all of it: hiredis has one a system call ---- */

/* The reply to what was appended; NULL when there is none in time, or one over the limit. */
static redisReply *redis_exchange(struct link *link, uint64_t deadline_us)
{
    redisContext *context = link->context;
    void *reply = NULL;
    link->is_over = false;
    for (int done = 0; !done;)
        if (!clock_poll(context->fd, POLLOUT, deadline_us) ||
            redisBufferWrite(context, &done) != REDIS_OK)
            return NULL;
    while (redisGetReplyFromReader(context, &reply) == REDIS_OK && !reply) {
        link->is_over = context->reader->len > link->value_most;
        if (link->is_over || !clock_poll(context->fd, POLLIN, deadline_us) ||
            redisBufferRead(context) != REDIS_OK)
            return NULL;
    }
    return reply;
}

/* Takes over reply, which is no answer to what was asked. */
static bool redis_complain(struct link *link, redisReply *reply)
{
    const char *why = reply ? "an answer that was not expected" : "no answer in time";
    if (reply && reply->type == REDIS_REPLY_ERROR) why = reply->str;
    if (link->context && link->context->err) why = link->context->errstr;
    snprintf(link->why, sizeof link->why, "%s", why);
    if (reply) freeReplyObject(reply);
    return false;
}

static bool is_ok(struct link *link, redisReply *reply)
{
    if (!reply || reply->type != REDIS_REPLY_STATUS) return redis_complain(link, reply);
    freeReplyObject(reply);
    return true;
}

/* Who we are, and which database. */
static bool redis_authenticate(struct link *link, uint64_t deadline_us)
{
    bool named = link->user && *link->user;
    if (link->password && named)
        redisAppendCommand(link->context, "AUTH %s %s", link->user, link->password);
    else if (link->password)
        redisAppendCommand(link->context, "AUTH %s", link->password);
    if (link->password && !is_ok(link, redis_exchange(link, deadline_us))) return false;
    if (!link->database) return true;
    redisAppendCommand(link->context, "SELECT %d", link->database);
    return is_ok(link, redis_exchange(link, deadline_us));
}

static bool redis_connect(struct link *link, uint64_t deadline_us)
{
    if (link->context) return true;
    link->context = redisConnectWithTimeout(link->host, link->port, link->timeout);
    if (!link->context || link->context->err) return redis_complain(link, NULL);
    int flags = fcntl(link->context->fd, F_GETFL);
    if (flags < 0 || fcntl(link->context->fd, F_SETFL, flags | O_NONBLOCK) != 0)
        return redis_complain(link, NULL);
    link->context->flags &= ~REDIS_BLOCK;
    return redis_authenticate(link, deadline_us);
}

static enum remote_outcome redis_get(void *argument, const char *key, struct buf *out)
{
    struct link *link = argument;
    uint64_t deadline_us = clock_now_us() + link->timeout_us;
    if (!redis_connect(link, deadline_us)) return REMOTE_FAILED;
    redisAppendCommand(link->context, "GET ptxopt:%s", key);
    redisReply *reply = redis_exchange(link, deadline_us);
    bool found = reply && reply->type == REDIS_REPLY_STRING;
    if (!found && !(reply && reply->type == REDIS_REPLY_NIL)) {
        bool is_wrong =
            link->is_over || (reply && reply->type == REDIS_REPLY_ERROR &&
                              strncmp(reply->str, "WRONGTYPE", strlen("WRONGTYPE")) == 0);
        redis_complain(link, reply);
        return is_wrong ? REMOTE_WRONG : REMOTE_FAILED;
    }
    if (found) found = attempt_add(out, reply->str, reply->len);
    freeReplyObject(reply);
    return found ? REMOTE_FOUND : REMOTE_ABSENT;
}

static bool redis_put(void *argument, const char *key, struct str value)
{
    struct link *link = argument;
    uint64_t deadline_us = clock_now_us() + link->timeout_us;
    if (!redis_connect(link, deadline_us)) return false;
    redisAppendCommand(link->context, "SET ptxopt:%s %b EX %llu", key, value.p, value.n,
                       link->ttl_s);
    return is_ok(link, redis_exchange(link, deadline_us));
}

static const char *redis_why(const void *link)
{
    return ((const struct link *)link)->why;
}

const struct remote_kind remote_redis = {NULL,      redis_open, redis_close,
                                         redis_get, redis_put,  redis_why};
