/* The table of routes. */
#include "server/handle/routes.h"

#include <stdio.h>
#include <string.h>

#include "server/handle/handlers.h"

#define JSON "application/json"
#define PTX "text/x-ptx"
#define TEXT "text/plain"
#define ANY_PTX                                                                                    \
    {                                                                                              \
        PTX, TEXT, "application/octet-stream", JSON                                                \
    }

static const struct route table[] = {
    {"POST", "/v1/optimize", .scope = "optimize", .works = true, .handle = handle_optimize,
     .produces = {PTX, JSON, TEXT}, .consumes = ANY_PTX},
    {"POST", "/v1/report", .scope = "report", .works = true, .reports = true,
     .handle = handle_report, .consumes = ANY_PTX},
    {"POST", "/v1/lint", .scope = "lint", .works = true, .reports = true, .handle = handle_lint,
     .consumes = ANY_PTX},
    {"POST", "/v1/verify", .scope = "verify", .works = true, .handle = handle_verify,
     .produces = {JSON}, .consumes = {JSON}},
    {"POST", "/v1/batch", .works = true, .streams = true,
     .produces = {"application/x-ndjson", TEXT},
     .consumes = {"application/x-ndjson", "application/octet-stream"}},
    {"GET", "/v1/rules", .handle = handle_rules, .produces = {JSON}},
    {"GET", "/v1/assumptions", .handle = handle_assumptions, .produces = {JSON}},
    {"GET", "/v1/codes", .handle = handle_codes, .produces = {JSON}},
    {"GET", "/v1/version", .handle = handle_version, .produces = {JSON}},
    {"GET", "/v1/results/", .scope = "results", .prefix = true, .works = true,
     .handle = handle_result},
    {"GET", "/healthz", .open = OPEN, .probe = true, .quiet = true, .handle = handle_health,
     .produces = {TEXT}},
    {"GET", "/readyz", .open = OPEN, .probe = true, .quiet = true, .handle = handle_ready,
     .produces = {TEXT}},
    {"GET", "/metrics", .scope = "metrics", .open = OPEN_IF_TOLD, .quiet = true,
     .handle = handle_metrics, .produces = {TEXT}},
    {"GET", "/openapi.json", .open = OPEN, .handle = handle_openapi, .produces = {JSON}},
    {"GET", "/", .open = OPEN, .handle = handle_page, .produces = {"text/html"}},
};
enum { ROUTES = sizeof table / sizeof *table };
_Static_assert((int)ROUTES <= (int)METRICS_ROUTES, "each route needs its counters");

const struct route *routes_all(size_t *count)
{
    *count = ROUTES;
    return table;
}

bool routes_have_scope(const char *scope, size_t len)
{
    for (size_t i = 0; i < ROUTES; i++)
        if (table[i].scope && strlen(table[i].scope) == len &&
            memcmp(table[i].scope, scope, len) == 0)
            return true;
    return false;
}

const char *routes_name(size_t i)
{
    return i < ROUTES ? table[i].path : "none";
}

static bool route_has_path(const struct route *route, const char *path)
{
    size_t n = strlen(route->path);
    return route->prefix ? strncmp(path, route->path, n) == 0 && path[n]
                         : strcmp(path, route->path) == 0;
}

const struct route *routes_find(const char *method, const char *path, char *allow, size_t size)
{
    if (strcmp(method, "HEAD") == 0) method = "GET";
    *allow = 0;
    for (size_t i = 0; i < ROUTES; i++) {
        if (!route_has_path(&table[i], path)) continue;
        if (strcmp(table[i].method, method) == 0) return &table[i];
        bool get = strcmp(table[i].method, "GET") == 0;
        snprintf(allow, size, "%s", get ? "GET, HEAD" : table[i].method);
    }
    return NULL;
}
