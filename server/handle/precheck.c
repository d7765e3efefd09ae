/* Checks the route, the method, and the types that a request sends and accepts. */
#include "server/handle/precheck.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/handle/codec.h"
#include "server/handle/negotiate.h"
#include "server/handle/problem.h"

static bool refuse_type(const struct route *route, const struct request *request,
                        struct reply *reply)
{
    const char *type = fields_find(&request->headers, "Content-Type");
    /* A body without a type is octets (RFC 9110, section 8.3). */
    if (!type) type = "application/octet-stream";
    for (int i = 0; i <= ROUTE_TYPES && route->consumes[i]; i++)
        if (negotiate_is_type(type, route->consumes[i])) return false;
    const char *all = "";
    for (int i = 0; i <= ROUTE_TYPES && route->consumes[i]; i++)
        all = arena_printf(&reply->arena, "%s%s%s", all, i ? ", " : "", route->consumes[i]);
    reply_header(reply, "Accept", "%s", all);
    bool form = negotiate_is_type(type, "application/x-www-form-urlencoded");
    problem_set(reply, request, 415, "media-type", "Content-Type is one of %s here, not '%.100s'%s",
                all, type,
                form ? ", which curl sends without a -H 'Content-Type: …' of yours" : "");
    return true;
}

static bool refuse_coding(const struct request *request, struct reply *reply)
{
    const char *coding = fields_find(&request->headers, "Content-Encoding");
    if (codec_is_known(coding)) return false;
    reply_header(reply, "Accept-Encoding", "%s", codec_all());
    problem_set(reply, request, 415, "content-encoding",
                "a body is plain or one of %s, not '%.40s'", codec_all(), coding);
    return true;
}

static bool refuse_request_body(const struct settings *settings, const struct route *route,
                                const struct request *request, struct reply *reply)
{
    const char *length = fields_find(&request->headers, "Content-Length");
    if (strcmp(route->method, "POST") != 0) return false;
    if (!length && !fields_find(&request->headers, "Transfer-Encoding")) {
        problem_set(reply, request, 411, "length-required", "this route needs a body");
        return true;
    }
    const struct limits *limits = &settings->limits;
    unsigned long long most = route->streams ? limits->max_batch_bytes : limits->max_body;
    if (length && strtoull(length, NULL, 10) > most) {
        problem_set(reply, request, 413, "too-large", "a body of this route is at most %llu bytes",
                    most);
        return true;
    }
    return refuse_type(route, request, reply) || refuse_coding(request, reply);
}

/* The media type of the answer. Without a preference JSON is answered with JSON. */
static const char *choose_type(const struct route *route, const struct request *request)
{
    const char *accept = fields_find(&request->headers, "Accept");
    const char *type = fields_find(&request->headers, "Content-Type");
    const char *best = negotiate_best(accept, route->produces, ROUTE_TYPES);
    bool json = type && negotiate_is_type(type, "application/json");
    for (int i = 0; best && json && i < ROUTE_TYPES && route->produces[i]; i++)
        if (strcmp(route->produces[i], "application/json") == 0 &&
            negotiate_weight(accept, route->produces[i]) == negotiate_weight(accept, best))
            return route->produces[i];
    return best;
}

bool precheck_request(const struct settings *settings, struct request *request,
                      const struct route **route, struct reply *reply)
{
    char allow[64];
    *route = routes_find(request->method, request->path, allow, sizeof allow);
    if (!*route && *allow) {
        reply_header(reply, "Allow", "%s", allow);
        problem_set(reply, request, 405, "method", "the methods here are %s", allow);
        return false;
    }
    if (!*route) {
        problem_set(reply, request, 404, "no-such-path",
                    "this path does not exist; see /openapi.json");
        return false;
    }
    const char *expect = fields_find(&request->headers, "Expect");
    if (expect && strcasecmp(expect, "100-continue") != 0) {
        problem_set(reply, request, 417, "expectation", "Expect is 100-continue here, not '%.100s'",
                    expect);
        return false;
    }
    if ((*route)->produces[0]) {
        request->wants = choose_type(*route, request);
        if (!request->wants) {
            problem_set(reply, request, 406, "not-acceptable", "this route answers %s%s%s",
                        (*route)->produces[0], (*route)->produces[1] ? " or " : "",
                        (*route)->produces[1] ? (*route)->produces[1] : "");
            return false;
        }
    }
    return !refuse_request_body(settings, *route, request, reply);
}
