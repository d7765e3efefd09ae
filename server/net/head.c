/* Rewrites a request's head into the form that the rest of the service expects. */
#include "server/net/head.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

/* How long "http://" is; 0 when the target is not of the absolute form. */
static size_t scheme_len(const char *target)
{
    if (strncasecmp(target, "http://", 7) == 0) return 7;
    return strncasecmp(target, "https://", 8) == 0 ? 8 : 0;
}

const char *head_path(const char *target)
{
    size_t scheme = scheme_len(target);
    if (!scheme) return target;
    const char *path = strchr(target + scheme, '/');
    return path ? path : "/";
}

void head_address(struct request *request, const char *target)
{
    size_t scheme = scheme_len(target);
    request->host = fields_find(&request->headers, "Host");
    if (!scheme) return;
    const char *authority = target + scheme;
    request->host = arena_copy(&request->arena, authority, strcspn(authority, "/"));
}

/* The values of all lines of that name; count: how many there are. */
static const char *join_field_lines(struct request *request, const char *name, unsigned *count)
{
    struct buf joined = {0};
    *count = 0;
    for (uint32_t i = 0; i < request->headers.count; i++) {
        const struct field *field = &request->headers.at[i];
        if (strcasecmp(field->name, name) == 0)
            buf_printf(&joined, "%s%s", (*count)++ ? ", " : "", field->value);
    }
    const char *text = joined.len ? arena_copy(&request->arena, joined.data, joined.len) : "";
    buf_free(&joined);
    return text;
}

static void set_field_value(struct request *request, const char *name, const char *value)
{
    for (uint32_t i = 0; i < request->headers.count; i++)
        if (strcasecmp(request->headers.at[i].name, name) == 0) {
            request->headers.at[i].value = value;
            return;
        }
}

void head_join(struct request *request)
{
    static const char *const lists[] = {"Accept",        "Accept-Encoding", "Content-Encoding",
                                        "If-None-Match", "X-Forwarded-For", "Forwarded"};
    unsigned count;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const char *joined = join_field_lines(request, lists[i], &count);
        if (count > 1) set_field_value(request, lists[i], joined);
    }
    join_field_lines(request, "Authorization", &count);
    if (count > 1) set_field_value(request, "Authorization", "");
}

void head_trace(struct request *request)
{
    unsigned count;
    const char *given = join_field_lines(request, "traceparent", &count);
    trace_begin(&request->trace, count == 1 ? given : NULL);
}

void head_name(struct request *request)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-:/+=@";
    const char *given = fields_find(&request->headers, "X-Request-Id");
    unsigned char random[8];
    size_t len = given ? strlen(given) : 0;
    if (len && len <= REQUEST_ID_MAX && strspn(given, allowed) == len) {
        memcpy(request->id, given, len);
        return;
    }
    if (getrandom(random, sizeof random, 0) != sizeof random) memset(random, 0, sizeof random);
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(request->id + 2 * i, 3, "%02x", (unsigned)random[i]);
}
