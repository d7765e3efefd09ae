/* Decides whether a request may be worked on, by its bytes, its sender, its name, its route and
 * the earlier requests of its sender, in that order. */
#include "server/net/admit.h"

#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "server/base/clock.h"
#include "server/handle/precheck.h"
#include "server/handle/problem.h"
#include "server/net/certificate.h"
#include "server/net/forwarded.h"
#include "server/net/listen.h"
#include "server/net/origin.h"

static bool admit_refuse(struct exchange *exchange, const struct fault *fault)
{
    problem_set(&exchange->reply, &exchange->request, fault->status, fault->code, "%s",
                fault->detail);
    return false;
}

/* ---- the client ---- */

/* Sets request->address and request->client. *token: zero, unless it is that of the request. False:
 * the client is not known. */
static bool identify_client(const struct admit *admit, const struct caller *caller,
                            const struct sockaddr *address, struct request *request,
                            struct auth_token *token)
{
    const char *name = listen_print(address, &request->arena);
    request->client = request->address = name ? name : "unix";
    if (!admit->auth && !admit->asks_certificates) return true;
    name = admit->asks_certificates ? certificate_name(caller->tls_session, &request->arena) : NULL;
    if (!name && admit->auth &&
        auth_find(admit->auth, fields_find(&request->headers, "Authorization"), &request->arena,
                  token) &&
        !token->is_expired) {
        name = token->name;
        request->allowance = token->allowance;
    }
    if (name) request->client = name;
    return name;
}

static const char *admit_own_address(int fd, struct arena *arena)
{
    struct sockaddr_storage storage = {0};
    struct sockaddr *address = (struct sockaddr *)&storage;
    socklen_t len = sizeof storage;
    return getsockname(fd, address, &len) ? "" : listen_print(address, arena);
}

/* A browser sends certificates with requests of any page, but never a token. */
static const struct fault *find_origin_fault(const struct admit *admit, const struct caller *caller,
                                             struct request *request, const struct route *route,
                                             bool is_friend)
{
    const struct fault *fault = NULL;
    if (admit->auth) return NULL;
    if (!admit->asks_certificates && !(route && route->probe))
        fault = origin_of_host(admit->service->settings, request,
                               admit_own_address(caller->fd, &request->arena));
    return fault || is_friend ? fault : origin_of_page(request);
}

static bool refuse_unknown(const struct admit *admit, const struct auth_token *token,
                           struct exchange *exchange)
{
    static const struct fault unknown = {401, "unauthorized",
                                         "a known bearer token or client certificate is needed"},
                              expired = {401, "expired", "the bearer token has expired"};
    if (admit->auth)
        reply_header(&exchange->reply, "WWW-Authenticate", "Bearer realm=\"ptxopt\"%s",
                     token->is_expired ? ", error=\"invalid_token\", "
                                         "error_description=\"the token has expired\""
                                       : "");
    return admit_refuse(exchange, token->is_expired ? &expired : &unknown);
}

/* ---- pages of other sites (CORS: https://fetch.spec.whatwg.org/#http-cors-protocol) ---- */

static void admit_always(struct exchange *exchange, const char *name, const char *value)
{
    request_add(&exchange->request, &exchange->always, name, value);
}

/* Whether the request is from a page of an --allow-origin: its browser may give it the answer.
 */
static bool admit_origin(const struct admit *admit, struct exchange *exchange)
{
    const struct names *known = &admit->service->settings->allow_origins;
    const char *origin = fields_find(&exchange->request.headers, "Origin");
    if (!known->count) return false;
    admit_always(exchange, "Vary", "Origin");
    for (unsigned i = 0; origin && i < known->count; i++) {
        if (strcasecmp(known->at[i], origin) != 0) continue;
        admit_always(exchange, "Access-Control-Allow-Origin", origin);
        admit_always(exchange, "Access-Control-Expose-Headers",
                     "Content-Location, ETag, Ptxopt-Candidates, Ptxopt-Changed, Ptxopt-Deleted, "
                     "Ptxopt-Functions, Ptxopt-Instructions, Ptxopt-Kept, Ptxopt-Skipped, "
                     "Ptxopt-Warnings, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id");
        return true;
    }
    return false;
}

static bool is_preflight(const struct request *request)
{
    return strcmp(request->method, "OPTIONS") == 0 &&
           fields_find(&request->headers, "Access-Control-Request-Method");
}

/* The preflight of a browser before the request of a page: it has no token. */
static bool answer_preflight(struct exchange *exchange)
{
    struct reply *reply = &exchange->reply;
    reply->status = 204;
    reply_header(reply, "Access-Control-Allow-Methods", "GET, HEAD, POST");
    reply_header(reply, "Access-Control-Allow-Headers",
                 "Accept, Authorization, Content-Encoding, Content-Type, If-None-Match, "
                 "X-Request-Id, traceparent");
    reply_header(reply, "Access-Control-Max-Age", "3600");
    return false;
}

/* ---- the route and its scope ---- */

/* Its end is not known. */
static bool refuse_bytes(struct exchange *exchange, const struct fault *fault)
{
    reply_header(&exchange->reply, "Connection", "close");
    if (!exchange->is_refused) admit_refuse(exchange, fault);
    return false;
}

static bool route_is_open(const struct admit *admit, const struct route *route)
{
    return route && (route->open == OPEN || (route->open == OPEN_IF_TOLD &&
                                             admit->service->settings->metrics_without_auth));
}

/* A batch needs the scope of its lines. */
static const char *needed_scope(const struct route *route, const struct request *request)
{
    const char *lines = fields_find(&request->query, "route");
    if (route->streams) route = batch_route(lines ? lines : "/v1/optimize");
    return route ? route->scope : NULL;
}

static bool list_has_word(const char *list, const char *word)
{
    size_t len = strlen(word);
    for (;; list++) {
        size_t n = strcspn(list, ",");
        if (n == len && memcmp(list, word, len) == 0) return true;
        list += n;
        if (!*list) return false;
    }
}

/* RFC 6750, section 3.1. */
static bool admit_scope(const struct auth_token *token, const struct route *route,
                        struct exchange *exchange)
{
    const char *scope = route && token->scopes ? needed_scope(route, &exchange->request) : NULL;
    if (!scope || list_has_word(token->scopes, scope)) return true;
    reply_header(&exchange->reply, "WWW-Authenticate",
                 "Bearer realm=\"ptxopt\", error=\"insufficient_scope\", scope=\"%s\"", scope);
    problem_set(&exchange->reply, &exchange->request, 403, "scope",
                "this token is not for '%s'; its scopes are %.200s", scope, token->scopes);
    return false;
}

/* ---- the amount ---- */

/* Takes one request from the allowance of the token, and reports the rest. */
static bool admit_amount(struct exchange *exchange)
{
    struct request *request = &exchange->request;
    char policy[ALLOWANCE_TEXT], state[ALLOWANCE_TEXT];
    uint64_t now_us = clock_now_us();
    if (!request->allowance) return true;
    uint64_t wait_s = allowance_take(request->allowance, now_us);
    allowance_print(request->allowance, now_us, policy, state);
    if (*policy) admit_always(exchange, "RateLimit-Policy", policy);
    if (*state) admit_always(exchange, "RateLimit", state);
    if (!wait_s) return true;
    reply_header(&exchange->reply, "Retry-After", "%llu", (unsigned long long)wait_s);
    problem_set(&exchange->reply, request, 429, "rate",
                "this token has no requests left for %llu s", (unsigned long long)wait_s);
    return false;
}

/* ---- in order ---- */

bool admit_request(const struct admit *admit, const struct caller *caller,
                   const struct fault *fault, struct exchange *exchange)
{
    struct request *request = &exchange->request;
    char allow[64];
    struct auth_token token = {0};
    union link_address address = *caller->address;
    const struct route *route = routes_find(request->method, request->path, allow, sizeof allow);
    const struct fault *chain =
        forwarded_client(&admit->service->trusted_proxies, request, &address);
    bool known = identify_client(admit, caller, &address.any, request, &token);
    if (fault) return refuse_bytes(exchange, fault);
    if (chain) return admit_refuse(exchange, chain);
    bool is_friend = admit_origin(admit, exchange);
    fault = find_origin_fault(admit, caller, request, route, is_friend);
    if (fault) return admit_refuse(exchange, fault);
    if (is_friend && is_preflight(request)) return answer_preflight(exchange);
    if (!route_is_open(admit, route)) {
        if (!known) return refuse_unknown(admit, &token, exchange);
        if (!admit_scope(&token, route, exchange)) return false;
    }
    if (!precheck_request(admit->service->settings, request, &exchange->route, &exchange->reply))
        return false;
    if (!exchange->route->works) return true;
    if (atomic_load(&admit->service->closing)) {
        problem_retry(&exchange->reply, request, 503, "draining", "the service is shutting down");
        return false;
    }
    return admit_amount(exchange);
}

void admit_no_body(const struct fault *fault, struct exchange *exchange)
{
    refuse_bytes(exchange, fault);
    exchange->is_refused = true;
}
