/* Requests of the shared caches over HTTP, by libcurl. A client is a connection that one thread at
 * a time uses. */
#ifndef SERVER_STORE_HTTP_CLIENT_H
#define SERVER_STORE_HTTP_CLIENT_H

#include <curl/curl.h>

#include "base/buf.h"
#include "base/str.h"
#include "server/base/settings.h"
#include "server/store/remote_kind.h"

/* Strings are borrowed. */
struct http_client {
    CURL *curl;
    const char *authorities; /* PEM file; NULL: those of the system */
    const char *signature;   /* of --aws-sigv4, with user; NULL: nothing is signed */
    const char *user;        /* NAME:PASSWORD */
    long timeout_ms;
    size_t value_most; /* bytes of an answer in the cache, with its seal */
    char why[160];     /* the last request failed */
};

/* False: out of memory. */
bool http_client_open(struct http_client *client, const struct settings *settings);
void http_client_close(struct http_client *client);

/* Makes the client's handle ready for one use: its limits, its authorities, no proxy. */
void http_client_reset(struct http_client *client, const char *url);

enum { HTTP_CLIENT_OVER = -1 };

/* GET, or with upload PUT. The HTTP status; 0: there was none; OVER: the answer is over most bytes.
 * out NULL: it is dropped. */
long http_client_request(struct http_client *client, const char *url, const struct str *upload,
                         struct buf *out, size_t most);

/* What that status of a GET says of an entry. */
enum remote_outcome http_client_outcome(long status);

/* Appends the value at url, of at most value_most bytes; stores value there. */
enum remote_outcome http_client_get(struct http_client *client, const char *url, struct buf *out);
bool http_client_put(struct http_client *client, const char *url, struct str value);

/* remote_kind.why of a link with a client as first member. */
const char *http_client_why(const void *link);

#endif
