/* Runs a handler within limits of memory and time. See run.h. */
#include "server/work/run.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/handle/problem.h"
#include "server/work/isolate.h"

enum { LARGE_WORK = 32 << 20 };

static bool is_abandoned(void *context)
{
    const struct request *request = context;
    return (request->abandoned && atomic_load(request->abandoned)) ||
           (request->deadline_us && clock_now_us() >= request->deadline_us);
}

struct handling {
    struct service *service;
    const struct route *route;
    const struct request *request;
    struct reply reply;
};

static void call_handler(void *context)
{
    struct handling *handling = context;
    handling->route->handle(handling->service, handling->request, &handling->reply);
}

/* A handler that looks in the caches has locks in its hands, and so may not be left in the
 * middle. */
static bool has_locks(const struct route *route)
{
    return route->works && !route->consumes[0];
}

/* What large work leaves in the allocator goes back to the system, so that the next of another
 * shape finds room: by then it has taken many times as long. */
static void give_back(const struct work_outcome *outcome)
{
    (void)outcome;
#ifdef __GLIBC__
    if (outcome->most_bytes > (size_t)LARGE_WORK) malloc_trim(0);
#endif
}

enum work_end run_here(struct service *service, const struct route *route,
                       const struct request *request, struct reply *reply)
{
    struct handling handling = {service, route, request, {0}};
    struct work_limits limits = {.max_bytes = (size_t)service->settings->limits.work_memory,
                                 .cancelled = is_abandoned,
                                 .context = (void *)(uintptr_t)request};
    if (has_locks(route)) {
        route->handle(service, request, reply);
        return WORK_DONE;
    }
    struct work_outcome outcome = work_run(&limits, call_handler, &handling);
    give_back(&outcome);
    if (outcome.end == WORK_DONE)
        *reply = handling.reply;
    else
        problem_from_end(reply, request, outcome.end);
    if (outcome.end == WORK_BUG)
        log_event("error", "bug", "request %s: %s (%s:%d)", request->id, outcome.bug, outcome.file,
                  outcome.line);
    return outcome.end;
}

enum work_end run_in_child(const struct settings *settings, struct request *request,
                           struct reply *reply)
{
    struct service service = {.settings = settings};
    char allow[64];
    const struct route *route = routes_find(request->method, request->path, allow, sizeof allow);
    if (!route) return WORK_BUG;
    request->deadline_us = clock_now_us() + settings->limits.work_timeout_ms * 1000;
    return run_here(&service, route, request, reply);
}

/* What needs the caches is no work for a process of its own. */
void run_request(struct service *service, const struct route *route, const struct request *request,
                 struct reply *reply)
{
    if (service->isolate && route->consumes[0])
        isolate_run(service->isolate, service, request, reply);
    else
        run_here(service, route, request, reply);
}
