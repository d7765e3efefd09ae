/* Decides whether a request may be worked on, by its bytes, its sender, its name and its route, in
 * that order. */
#include "server/net/admit.h"

#include <sys/socket.h>

#include "server/handle/precheck.h"
#include "server/handle/problem.h"
#include "server/net/certificate.h"
#include "server/net/listen.h"
#include "server/net/origin.h"

static bool admit_refuse(struct exchange *exchange, const struct fault *fault)
{
    problem_set(&exchange->reply, &exchange->request, fault->status, fault->code, "%s",
                fault->detail);
    return false;
}

/* ---- who ---- */

/* Sets request->client. False: it is nobody we know. */
static bool identify_client(const struct admit *admit, const struct caller *caller,
                            struct request *request)
{
    const char *name = listen_print(caller->address, &request->arena);
    request->client = name ? name : "unix";
    if (!admit->auth && !admit->asks_certificates) return true;
    name = admit->asks_certificates ? certificate_name(caller->tls_session, &request->arena) : NULL;
    if (!name && admit->auth)
        name = auth_name(admit->auth, fields_find(&request->headers, "Authorization"),
                         &request->arena);
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

/* Browsers bring certificates along wherever a page sends them, and a token never. */
static const struct fault *find_origin_fault(const struct admit *admit, const struct caller *caller,
                                             struct request *request, const struct route *route)
{
    const struct fault *fault = NULL;
    if (admit->auth) return NULL;
    if (!admit->asks_certificates && !(route && route->probe))
        fault = origin_of_host(admit->service->settings, request,
                               admit_own_address(caller->fd, &request->arena));
    return fault ? fault : origin_of_page(request);
}

static bool refuse_unknown(const struct admit *admit, struct exchange *exchange)
{
    static const struct fault unknown = {401, "unauthorized",
                                         "a known bearer token or client certificate is needed"};
    if (admit->auth) reply_header(&exchange->reply, "WWW-Authenticate", "Bearer realm=\"ptxopt\"");
    return admit_refuse(exchange, &unknown);
}

/* ---- what ---- */

/* Nobody knows where it ends. */
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

bool admit_request(const struct admit *admit, const struct caller *caller,
                   const struct fault *fault, struct exchange *exchange)
{
    struct request *request = &exchange->request;
    char allow[64];
    const struct route *route = routes_find(request->method, request->path, allow, sizeof allow);
    bool known = identify_client(admit, caller, request);
    if (fault) return refuse_bytes(exchange, fault);
    fault = find_origin_fault(admit, caller, request, route);
    if (fault) return admit_refuse(exchange, fault);
    if (!known && !route_is_open(admit, route)) return refuse_unknown(admit, exchange);
    if (!precheck_request(admit->service->settings, request, &exchange->route, &exchange->reply))
        return false;
    if (!exchange->route->works || !atomic_load(&admit->service->closing)) return true;
    problem_retry(&exchange->reply, request, 503, "draining", "the service is shutting down");
    return false;
}

void admit_no_body(const struct fault *fault, struct exchange *exchange)
{
    refuse_bytes(exchange, fault);
    exchange->is_refused = true;
}
