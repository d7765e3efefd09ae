/* Posts a text to a server. It is sent unchanged, compressed if that makes it smaller. The size of
 * the answer is limited while it is read. See http.h. */
#include "cli/http.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORTH_ZIPPING = 1 << 12, GZIP_LEVEL = 3, GZIP_WINDOW = 16 + MAX_WBITS, CONNECT_MS = 3000 };

struct sink {
    struct post_answer *answer;
    size_t most;
};

static size_t on_body(char *bytes, size_t size, size_t count, void *context)
{
    struct sink *sink = context;
    if (sink->answer->body.len + size * count > sink->most) return 0;
    buf_add(&sink->answer->body, bytes, size * count);
    return size * count;
}

static size_t on_head(char *bytes, size_t size, size_t count, void *context)
{
    static const char *const heads[] = {"Ptxopt-Skipped: ", "Ptxopt-Warnings: "};
    struct sink *sink = context;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t n = strlen(heads[i]);
        if (size * count > n && strncasecmp(bytes, heads[i], n) == 0 && bytes[n] != '0')
            sink->answer->has_more_to_say = true;
    }
    return size * count;
}

/* Compresses text with gzip. False if it is not worth compressing, or cannot be compressed. */
static bool zip_text(const struct loaded *loaded, struct str text, struct buf *out)
{
    z_stream stream = {0};
    if (!loaded->zips || text.n < WORTH_ZIPPING || text.n > UINT32_MAX / 2) return false;
    if (loaded->deflateInit2_(&stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, MAX_MEM_LEVEL,
                              Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof stream) != Z_OK)
        return false;
    size_t bound = loaded->deflateBound(&stream, (uLong)text.n);
    buf_expect(out, bound);
    stream.next_in = (unsigned char *)(uintptr_t)text.p;
    stream.avail_in = (uInt)text.n;
    stream.next_out = (unsigned char *)out->data;
    stream.avail_out = (uInt)bound;
    bool good = loaded->deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out->len = bound - stream.avail_out;
    loaded->deflateEnd(&stream);
    return good;
}

static struct curl_slist *http_headers(const struct loaded *loaded, const char *token, bool zipped)
{
    static const char *const lines[] = {"Content-Type: text/x-ptx", "Accept: text/x-ptx",
                                        "Expect:"};
    struct curl_slist *list = NULL;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        list = loaded->curl_slist_append(list, lines[i]);
    if (zipped) list = loaded->curl_slist_append(list, "Content-Encoding: gzip");
    if (token) {
        struct buf line = {0};
        buf_printf(&line, "Authorization: Bearer %s", token);
        buf_putc(&line, '\0');
        list = loaded->curl_slist_append(list, line.data);
        buf_free(&line);
    }
    return list;
}

static void set_up(const struct loaded *loaded, CURL *curl, const struct post *post,
                   struct str body, struct sink *sink)
{
    loaded->curl_easy_setopt(curl, CURLOPT_URL, post->url);
    if (post->socket) loaded->curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, post->socket);
    if (post->ca_file) loaded->curl_easy_setopt(curl, CURLOPT_CAINFO, post->ca_file);
    if (post->client_cert) loaded->curl_easy_setopt(curl, CURLOPT_SSLCERT, post->client_cert);
    if (post->client_key) loaded->curl_easy_setopt(curl, CURLOPT_SSLKEY, post->client_key);
    loaded->curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    loaded->curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    loaded->curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, post->timeout_ms);
    loaded->curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    loaded->curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
    loaded->curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.n);
    loaded->curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.p);
    loaded->curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    loaded->curl_easy_setopt(curl, CURLOPT_WRITEDATA, sink);
    loaded->curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_head);
    loaded->curl_easy_setopt(curl, CURLOPT_HEADERDATA, sink);
}

static void perform_request(const struct loaded *loaded, CURL *curl, struct post_answer *answer)
{
    curl_off_t wait = 0;
    CURLcode code = loaded->curl_easy_perform(curl);
    if (code == CURLE_OK) {
        loaded->curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->status);
        loaded->curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &wait);
        answer->retry_after_s = (long)wait;
    }
    answer->for_good = code == CURLE_WRITE_ERROR || code == CURLE_BAD_CONTENT_ENCODING ||
                       code == CURLE_URL_MALFORMAT || code == CURLE_SSL_CACERT_BADFILE ||
                       code == CURLE_SSL_CERTPROBLEM || code == CURLE_PEER_FAILED_VERIFICATION ||
                       code == CURLE_UNSUPPORTED_PROTOCOL;
    if (code == CURLE_WRITE_ERROR)
        snprintf(answer->why, sizeof answer->why,
                 "the answer is larger than any result of the text");
    else if (code != CURLE_OK)
        snprintf(answer->why, sizeof answer->why, "%s", loaded->curl_easy_strerror(code));
    else
        snprintf(answer->why, sizeof answer->why, "it answers %ld", answer->status);
}

void http_send(const struct loaded *loaded, const struct post *post, struct post_answer *answer)
{
    struct buf packed = {0};
    bool zipped = zip_text(loaded, post->text, &packed);
    struct str body = zipped ? (struct str){packed.data, packed.len} : post->text;
    struct sink sink = {answer, post->most};
    CURL *curl = loaded->curl_easy_init();
    struct curl_slist *lines = http_headers(loaded, post->token, zipped);
    if (curl && lines) {
        set_up(loaded, curl, post, body, &sink);
        loaded->curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines);
        perform_request(loaded, curl, answer);
    } else {
        snprintf(answer->why, sizeof answer->why, "libcurl has no memory");
    }
    loaded->curl_slist_free_all(lines);
    if (curl) loaded->curl_easy_cleanup(curl);
    buf_free(&packed);
}
