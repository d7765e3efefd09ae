/* The shared cache as Bazel's remote cache over HTTP: /ac/KEY has an ActionResult, which names the
 * blob /cas/SHA256 that holds the answer. Only two fields of that message are written and read:
 * ActionResult.output_files (2) = {path (1), digest (2) = {hash (1), size_bytes (2)}}. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "server/base/trace.h"
#include "server/base/attempt.h"
#include "server/store/digest.h"
#include "server/store/remote_kind.h"
#include "server/store/seal.h"

enum { ACTION_MOST = 64 << 10 };

struct link {
    CURL *curl;
    char url[1024];
    long timeout_ms;
    size_t value_most;
    char why[160]; /* the last request failed */
};

static void *http_open(const char *url, const struct limits *limits)
{
    struct link *link = mem_zalloc(1, sizeof *link);
    size_t len = strlen(url);
    while (len && url[len - 1] == '/') len--;
    snprintf(link->url, sizeof link->url, "%.*s", (int)len, url);
    link->timeout_ms = (long)limits->cache_timeout_ms;
    link->value_most = (size_t)limits->cache_value_bytes + SEAL_MOST;
    link->curl = curl_easy_init();
    return link;
}

static void http_close(void *argument)
{
    struct link *link = argument;
    curl_easy_cleanup(link->curl);
    mem_free(link);
}

/* ---- one request ---- */

struct sink_limit {
    struct buf *out;
    size_t most;
    bool is_over;
};

static size_t on_bytes(char *bytes, size_t size, size_t count, void *argument)
{
    struct sink_limit *sink = argument;
    if (!sink->out) return size * count;
    sink->is_over = sink->out->len + size * count > sink->most;
    if (sink->is_over || !attempt_add(sink->out, bytes, size * count)) return 0;
    return size * count;
}

static size_t on_upload(char *bytes, size_t size, size_t count, void *argument)
{
    struct str *rest = argument;
    size_t n = rest->n < size * count ? rest->n : size * count;
    memcpy(bytes, rest->p, n);
    rest->p += n;
    rest->n -= n;
    return n;
}

enum { OVER = -1 };

/* The HTTP status, 0 when there is none, OVER when the answer is over most. upload NULL: GET. */
static long http_request(struct link *link, const char *folder, const char *name,
                         struct str *upload, struct buf *out, size_t most)
{
    char url[1200];
    long status = 0;
    struct sink_limit sink = {out, most, false};
    struct curl_slist *headers = NULL;
    CURL *curl = link->curl;
    if (!curl) return 0;
    snprintf(url, sizeof url, "%s/%s/%s", link->url, folder, name);
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    /* What others ask is no proxy's business, whatever the environment says. */
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, link->timeout_ms);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, link->timeout_ms);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &sink);
    if (trace_current()) {
        char field[TRACE_PARENT + 16] = "traceparent: ";
        trace_print(trace_current(), field + strlen(field));
        headers = curl_slist_append(NULL, field);
    }
    if (upload) {
        headers = curl_slist_append(headers, "Expect:");
        curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_upload);
        curl_easy_setopt(curl, CURLOPT_READDATA, upload);
        curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)upload->n);
    }
    if (headers) curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_OK) curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_OK)
        snprintf(link->why, sizeof link->why, "/%s/ answers %ld", folder, status);
    else
        snprintf(link->why, sizeof link->why, "%s", curl_easy_strerror(code));
    curl_slist_free_all(headers);
    return sink.is_over ? OVER : status;
}

/* ---- the message ---- */

static void put_varint(struct buf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7) buf_putc(out, (char)(number | 0x80));
    buf_putc(out, (char)number);
}

static void put_bytes(struct buf *out, char tag, struct str bytes)
{
    buf_putc(out, tag);
    put_varint(out, bytes.n);
    buf_add(out, bytes.p, bytes.n);
}

enum { TAG_FIRST = 0x0a, TAG_SECOND = 0x12, TAG_SIZE = 0x10 };

static void write_action(struct buf *out, const char *hash, size_t size)
{
    struct buf digest = {0}, file = {0};
    put_bytes(&digest, TAG_FIRST, str_from(hash));
    buf_putc(&digest, TAG_SIZE);
    put_varint(&digest, size);
    put_bytes(&file, TAG_FIRST, str_from("answer"));
    put_bytes(&file, TAG_SECOND, (struct str){digest.data, digest.len});
    put_bytes(out, TAG_SECOND, (struct str){file.data, file.len});
    buf_free(&digest);
    buf_free(&file);
}

static bool take_varint(struct str *rest, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; rest->n && shift < 63; shift += 7) {
        unsigned char byte = (unsigned char)*rest->p;
        rest->p++;
        rest->n--;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return true;
    }
    return false;
}

/* The first field of that tag; the fields before it are skipped. */
static bool find_field(struct str rest, uint64_t tag, struct str *value)
{
    uint64_t found, len;
    while (take_varint(&rest, &found)) {
        if ((found & 7) == 0) {
            if (!take_varint(&rest, &len)) return false;
            continue;
        }
        if ((found & 7) != 2 || !take_varint(&rest, &len) || len > rest.n) return false;
        *value = (struct str){rest.p, (size_t)len};
        if (found == tag) return true;
        rest.p += len;
        rest.n -= (size_t)len;
    }
    return false;
}

static bool read_action(struct str action, char hash[DIGEST_HEX + 1])
{
    struct str file, digest, text;
    if (!find_field(action, TAG_SECOND, &file) || !find_field(file, TAG_SECOND, &digest) ||
        !find_field(digest, TAG_FIRST, &text) || text.n != DIGEST_HEX)
        return false;
    memcpy(hash, text.p, DIGEST_HEX);
    hash[DIGEST_HEX] = 0;
    return digest_is_hex(hash);
}

/* ---- the cache ---- */

static enum remote_outcome http_outcome(long status)
{
    switch (status) {
    case 200: return REMOTE_FOUND;
    case 404: return REMOTE_ABSENT;
    case OVER: return REMOTE_WRONG;
    default: return REMOTE_FAILED;
    }
}

static enum remote_outcome http_get(void *argument, const char *key, struct buf *out)
{
    struct link *link = argument;
    char hash[DIGEST_HEX + 1], got[DIGEST_HEX + 1];
    struct buf action = {0};
    enum remote_outcome outcome =
        http_outcome(http_request(link, "ac", key, NULL, &action, ACTION_MOST));
    if (outcome == REMOTE_FOUND && !read_action((struct str){action.data, action.len}, hash))
        outcome = REMOTE_WRONG;
    buf_free(&action);
    if (outcome != REMOTE_FOUND) return outcome;
    outcome = http_outcome(http_request(link, "cas", hash, NULL, out, link->value_most));
    digest_hex((struct str){out->data, out->len}, got);
    if (outcome == REMOTE_FOUND && strcmp(got, hash) != 0) outcome = REMOTE_WRONG;
    return outcome;
}

/* The blob first: an action never names what is not there yet. */
static bool http_put(void *argument, const char *key, struct str value)
{
    char hash[DIGEST_HEX + 1];
    struct buf action = {0};
    struct str rest = value;
    digest_hex(value, hash);
    long status = http_request(argument, "cas", hash, &rest, NULL, 0);
    if (status < 200 || status > 299) return false;
    write_action(&action, hash, value.n);
    rest = (struct str){action.data, action.len};
    status = http_request(argument, "ac", key, &rest, NULL, 0);
    buf_free(&action);
    return status >= 200 && status <= 299;
}

static void http_init(void)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

static const char *http_why(const void *link)
{
    return ((const struct link *)link)->why;
}

const struct remote_kind remote_http = {http_init, http_open, http_close,
                                        http_get,  http_put,  http_why};
