/* The paths of the service. Each is a row of the table in routes.c; a handler is one file. */
#ifndef SERVER_HANDLE_ROUTES_H
#define SERVER_HANDLE_ROUTES_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/message.h"
#include "server/base/service.h"

enum { ROUTE_TYPES = 3 };

struct route {
    const char *method, *path;
    bool prefix; /* path is a beginning, ending in / */
    enum {
        ASKS,
        OPEN,
        OPEN_IF_TOLD
    } open;            /* the callers allowed without a token; --metrics-without-auth */
    const char *scope; /* that a token with scopes must have; NULL: none */
    bool probe;        /* any caller, by any host name, may use it */
    bool quiet;        /* requested all the time: logged only when it fails */
    bool works;        /* may take time: is queued for a worker */
    bool reports;      /* has --report-cpu-timeout to itself */
    bool streams;      /* a batch (batch.h), which has no handler */
    void (*handle)(struct service *service, const struct request *request, struct reply *reply);
    const char *produces[ROUTE_TYPES]; /* the first is the usual one; none: the handler's affair */
    const char *consumes[ROUTE_TYPES + 1];
};

/* All routes. */
const struct route *routes_all(size_t *count);

/* The route of a path, or NULL. HEAD counts as GET. When only the method is wrong, the methods
 * that it has are in allow, comma separated; else it is empty. */
const struct route *routes_find(const char *method, const char *path, char *allow, size_t size);

/* Whether it is the scope of any route. */
bool routes_have_scope(const char *scope, size_t len);

/* The path of the row i, "none" beyond them. */
const char *routes_name(size_t i);

#endif
