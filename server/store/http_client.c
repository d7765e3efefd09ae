/* Sends requests to a server over HTTP. See http_client.h. */
#include "server/base/trace.h"
#include "server/store/http_client.h"

#include <stdio.h>
#include <string.h>

#include "server/base/attempt.h"
#include "server/store/digest.h"
#include "server/store/seal.h"

bool http_client_open(struct http_client *client, const struct settings *settings)
{
    client->timeout_ms = (long)settings->limits.cache_timeout_ms;
    client->value_most = (size_t)settings->limits.cache_value_bytes + SEAL_MOST;
    client->authorities = settings->cache_ca;
    client->curl = curl_easy_init();
    return client->curl;
}

void http_client_close(struct http_client *client)
{
    curl_easy_cleanup(client->curl);
}

void http_client_reset(struct http_client *client, const char *url)
{
    CURL *curl = client->curl;
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    /* These requests use no proxy, whatever the environment says. */
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, client->timeout_ms);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, client->timeout_ms);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    if (client->authorities) curl_easy_setopt(curl, CURLOPT_CAINFO, client->authorities);
    if (client->signature) curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, client->signature);
    if (client->user) curl_easy_setopt(curl, CURLOPT_USERPWD, client->user);
}

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

/* S3 requires the digest of the body in a header; libcurl signs that, but makes none before 8.0. */
static struct curl_slist *add_digest(struct curl_slist *headers, struct str body)
{
    char hex[DIGEST_HEX + 1], line[DIGEST_HEX + 32];
    digest_hex(body, hex);
    snprintf(line, sizeof line, "x-amz-content-sha256: %s", hex);
    return curl_slist_append(headers, line);
}

static struct curl_slist *make_headers(const struct http_client *client, const struct str *upload)
{
    struct curl_slist *headers = NULL;
    if (trace_current() && !client->signature) {
        char field[TRACE_PARENT + 16] = "traceparent: ";
        trace_print(trace_current(), field + strlen(field));
        headers = curl_slist_append(headers, field);
    }
    if (upload) headers = curl_slist_append(headers, "Content-Type: application/octet-stream");
    return client->signature ? add_digest(headers, upload ? *upload : (struct str){"", 0})
                             : headers;
}

static void set_upload(CURL *curl, const struct str *upload)
{
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, upload->p);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)upload->n);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PUT");
    /* No request waits for 100 Continue. A header "Expect:" that forbids it would be signed and not
     * sent. */
    curl_easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
}

long http_client_request(struct http_client *client, const char *url, const struct str *upload,
                         struct buf *out, size_t most)
{
    long status = 0;
    struct sink_limit sink = {out, most, false};
    CURL *curl = client->curl;
    http_client_reset(client, url);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &sink);
    struct curl_slist *headers = make_headers(client, upload);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (upload) set_upload(curl, upload);
    CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_OK) curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_OK)
        snprintf(client->why, sizeof client->why, "it answers %ld", status);
    else
        snprintf(client->why, sizeof client->why, "%s", curl_easy_strerror(code));
    curl_slist_free_all(headers);
    return sink.is_over ? HTTP_CLIENT_OVER : status;
}

enum remote_outcome http_client_outcome(long status)
{
    switch (status) {
    case 200: return REMOTE_FOUND;
    case 404: return REMOTE_ABSENT;
    case HTTP_CLIENT_OVER: return REMOTE_WRONG;
    default: return REMOTE_FAILED;
    }
}

enum remote_outcome http_client_get(struct http_client *client, const char *url, struct buf *out)
{
    return http_client_outcome(http_client_request(client, url, NULL, out, client->value_most));
}

bool http_client_put(struct http_client *client, const char *url, struct str value)
{
    long status = http_client_request(client, url, &value, NULL, 0);
    return status >= 200 && status <= 299;
}

const char *http_client_why(const void *link)
{
    return ((const struct http_client *)link)->why;
}
