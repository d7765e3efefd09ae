/* The shared cache as a Redis: SET ptxopt:KEY value EX ttl, GET ptxopt:KEY.
 * redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], as redis-cli -u takes it, and rediss:// for
 * TLS. hiredis writes commands and reads replies; libcurl connects and encrypts, since hiredis does
 * so from 1.0 on only. */
#include "server/store/remote_kind.h"

#include <hiredis/hiredis.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "server/base/attempt.h"
#include "server/base/clock.h"
#include "server/store/http_client.h"

enum { DEFAULT_PORT = 6379 };

struct link {
    struct http_client client;    /* first: http_client_why */
    char *host, *user, *password; /* curl_free; the last two may be NULL */
    int port, database;
    bool is_encrypted;
    uint64_t timeout_us;
    unsigned long long ttl_s;
    curl_socket_t socket; /* CURL_SOCKET_BAD: it is not connected */
    redisReader *reader;
    bool is_over; /* the last reply was over client.value_most */
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
    link->is_encrypted = strncmp(url, "rediss:", 7) == 0;
    fine = fine && read_url_number(parsed, CURLUPART_PORT, 0, UINT16_MAX, &link->port) &&
           read_url_number(parsed, CURLUPART_PATH, 1, 1 << 20, &link->database);
    if (fine) {
        curl_url_get(parsed, CURLUPART_USER, &link->user, CURLU_URLDECODE);
        curl_url_get(parsed, CURLUPART_PASSWORD, &link->password, CURLU_URLDECODE);
        if (link->user && !link->password) fine = false;
    }
    curl_url_cleanup(parsed);
    return fine;
}

static void redis_close(void *argument)
{
    struct link *link = argument;
    http_client_close(&link->client);
    if (link->reader) redisReaderFree(link->reader);
    curl_free(link->host);
    curl_free(link->user);
    curl_free(link->password);
    mem_free(link);
}

static void *redis_open(const char *url, const struct settings *settings)
{
    const struct limits *limits = &settings->limits;
    struct link *link = mem_zalloc(1, sizeof *link);
    link->socket = CURL_SOCKET_BAD;
    link->timeout_us = limits->cache_timeout_ms * 1000;
    link->ttl_s = limits->cache_ttl_s;
    link->reader = redisReaderCreate();
    if (link->reader && http_client_open(&link->client, settings) && read_url(link, url))
        return link;
    redis_close(link);
    return NULL;
}

/* ---- commands, each with one deadline for all of it ---- */

/* Sends a command that hiredis wrote, and frees it. len < 0: it had no memory. */
static bool send_command(struct link *link, char *command, int len, uint64_t deadline_us)
{
    bool fine = len >= 0;
    for (size_t done = 0, n = 0; fine && done < (size_t)len; done += n) {
        n = 0;
        CURLcode code = curl_easy_send(link->client.curl, command + done, (size_t)len - done, &n);
        fine = code == CURLE_OK ||
               (code == CURLE_AGAIN && clock_poll(link->socket, POLLOUT, deadline_us));
    }
    if (len >= 0) redisFreeCommand(command);
    return fine;
}

/* More bytes of a reply; false: none come in time. */
static bool receive_bytes(struct link *link, uint64_t deadline_us)
{
    char block[16 << 10];
    size_t n = 0;
    CURLcode code;
    while ((code = curl_easy_recv(link->client.curl, block, sizeof block, &n)) == CURLE_AGAIN)
        if (!clock_poll(link->socket, POLLIN, deadline_us)) return false;
    return code == CURLE_OK && n && redisReaderFeed(link->reader, block, n) == REDIS_OK;
}

/* The reply to the command; NULL when there is none in time, or one over the limit. */
static redisReply *redis_exchange(struct link *link, char *command, int len, uint64_t deadline_us)
{
    void *reply = NULL;
    link->is_over = false;
    if (!send_command(link, command, len, deadline_us)) return NULL;
    while (redisReaderGetReply(link->reader, &reply) == REDIS_OK && !reply) {
        link->is_over = link->reader->len > link->client.value_most;
        if (link->is_over || clock_now_us() > deadline_us || !receive_bytes(link, deadline_us))
            return NULL;
    }
    return reply;
}

/* Takes over reply, which is no answer to the command. */
static bool redis_complain(struct link *link, redisReply *reply)
{
    const char *why = reply ? "an answer that was not expected" : "no answer in time";
    if (reply && reply->type == REDIS_REPLY_ERROR) why = reply->str;
    if (link->reader->err) why = link->reader->errstr;
    snprintf(link->client.why, sizeof link->client.why, "%s", why);
    if (reply) freeReplyObject(reply);
    return false;
}

static bool is_ok(struct link *link, redisReply *reply)
{
    if (!reply || reply->type != REDIS_REPLY_STATUS) return redis_complain(link, reply);
    freeReplyObject(reply);
    return true;
}

/* The user, and the database. */
static bool redis_authenticate(struct link *link, uint64_t deadline_us)
{
    char *command = NULL;
    int len = 0;
    bool named = link->user && *link->user;
    if (link->password && named)
        len = redisFormatCommand(&command, "AUTH %s %s", link->user, link->password);
    else if (link->password)
        len = redisFormatCommand(&command, "AUTH %s", link->password);
    if (link->password && !is_ok(link, redis_exchange(link, command, len, deadline_us)))
        return false;
    if (!link->database) return true;
    len = redisFormatCommand(&command, "SELECT %d", link->database);
    return is_ok(link, redis_exchange(link, command, len, deadline_us));
}

/* libcurl connects as for HTTP, and says nothing. */
static bool redis_connect(struct link *link, uint64_t deadline_us)
{
    char url[320];
    CURL *curl = link->client.curl;
    if (link->socket != CURL_SOCKET_BAD) return true;
    snprintf(url, sizeof url, "http%s://%.250s:%d", link->is_encrypted ? "s" : "", link->host,
             link->port);
    http_client_reset(&link->client, url);
    curl_easy_setopt(curl, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(curl, CURLOPT_SSL_ENABLE_ALPN, 0L);
    CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_OK) code = curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, &link->socket);
    if (code == CURLE_OK && link->socket != CURL_SOCKET_BAD)
        return redis_authenticate(link, deadline_us);
    snprintf(link->client.why, sizeof link->client.why, "%s", curl_easy_strerror(code));
    return false;
}

static enum remote_outcome redis_get(void *argument, const char *key, struct buf *out)
{
    struct link *link = argument;
    uint64_t deadline_us = clock_now_us() + link->timeout_us;
    if (!redis_connect(link, deadline_us)) return REMOTE_FAILED;
    char *command = NULL;
    int len = redisFormatCommand(&command, "GET ptxopt:%s", key);
    redisReply *reply = redis_exchange(link, command, len, deadline_us);
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
    char *command = NULL;
    int len = redisFormatCommand(&command, "SET ptxopt:%s %b EX %llu", key, value.p, value.n,
                                 link->ttl_s);
    return is_ok(link, redis_exchange(link, command, len, deadline_us));
}

const struct remote_kind remote_redis = {redis_open, redis_close, redis_get, redis_put,
                                         http_client_why};
