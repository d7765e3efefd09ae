/* Refuses requests that need no token when a page of another site or a foreign name sends them. See
 * origin.h. */
#include "server/net/origin.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { NAME_MOST = 255 };

/* The host of HOST[:PORT], without brackets and a last dot; false when it is none. */
static bool host_of(const char *authority, char host[NAME_MOST + 1])
{
    bool six = *authority == '[';
    const char *end = six ? strchr(authority, ']') : authority + strcspn(authority, ":");
    const char *begin = authority + six;
    size_t len = end ? (size_t)(end - begin) : 0;
    if (!len || len > NAME_MOST) return false;
    const char *port = end + six;
    if (*port && (*port != ':' || strspn(port + 1, "0123456789") != strlen(port + 1))) return false;
    memcpy(host, begin, len);
    if (len > 1 && host[len - 1] == '.') len--;
    host[len] = 0;
    return true;
}

static bool host_is_loopback(const char *host)
{
    struct in_addr four;
    struct in6_addr six;
    const char *tail = strrchr(host, '.');
    if (strcasecmp(tail ? tail + 1 : host, "localhost") == 0) return true;
    if (inet_pton(AF_INET, host, &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

/* The same name, or the same address however it is written. */
static bool is_same_host(const char *host, const char *other)
{
    struct in6_addr a, b;
    if (strcasecmp(host, other) == 0) return true;
    return inet_pton(AF_INET6, host, &a) == 1 && inet_pton(AF_INET6, other, &b) == 1 &&
           memcmp(&a, &b, sizeof a) == 0;
}

static bool is_ours(const struct settings *settings, const char *host, const char *local)
{
    char listen[NAME_MOST + 1];
    if (host_is_loopback(host) || is_same_host(host, local)) return true;
    for (unsigned i = 0; i < settings->listen.count; i++)
        if (host_of(settings->listen.at[i], listen) && is_same_host(host, listen)) return true;
    for (unsigned i = 0; i < settings->allow_hosts.count; i++)
        if (is_same_host(host, settings->allow_hosts.at[i])) return true;
    return false;
}

const struct fault *origin_of_host(const struct settings *settings, const struct request *request,
                                   const char *local)
{
    static const struct fault none = {400, "bad-request", "there is no Host"},
                              foreign = {
                                  403, "host",
                                  "Host is not a name of this service; --allow-host adds a name"};
    char host[NAME_MOST + 1];
    if (!local) return NULL;
    if (!request->host) return &none;
    return host_of(request->host, host) && is_ours(settings, host, local) ? NULL : &foreign;
}

/* Without the port that its scheme has anyway. */
static size_t authority_len(const char *authority)
{
    size_t len = strlen(authority);
    if (len > 3 && strcmp(authority + len - 3, ":80") == 0) return len - 3;
    if (len > 4 && strcmp(authority + len - 4, ":443") == 0) return len - 4;
    return len;
}

static bool is_own_origin(const char *origin, const char *host)
{
    const char *authority = strstr(origin, "://");
    if (!authority || !host) return false;
    authority += 3;
    size_t len = authority_len(authority);
    return len == authority_len(host) && strncasecmp(authority, host, len) == 0;
}

static bool field_equals(const struct request *request, const char *name, const char *value)
{
    const char *given = fields_find(&request->headers, name);
    return given && strcmp(given, value) == 0;
}

const struct fault *origin_of_page(const struct request *request)
{
    static const struct fault foreign = {
        403, "origin", "a page of another origin may not send requests to this service"};
    const char *origin = fields_find(&request->headers, "Origin");
    bool is_link = strcmp(request->method, "GET") == 0 &&
                   field_equals(request, "Sec-Fetch-Mode", "navigate") &&
                   field_equals(request, "Sec-Fetch-Dest", "document");
    if (origin && !is_own_origin(origin, request->host)) return &foreign;
    return field_equals(request, "Sec-Fetch-Site", "cross-site") && !is_link ? &foreign : NULL;
}
