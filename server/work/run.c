/* Runs a handler within limits of memory, time and the size of its answer. See run.h. */
#include "server/work/run.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/handle/problem.h"
#include "server/work/isolate.h"

enum { LARGE_WORK = 32 << 20 };

struct handling {
    struct service *service;
    const struct route *route;
    const struct request *request;
    struct reply reply;
    uint64_t cpu_end_us; /* by clock_thread_us; 0: none */
    bool has_used_up_cpu, is_answer_large;
};

static const struct limits *limits_of(const struct handling *handling)
{
    return &handling->service->settings->limits;
}

static bool has_large_answer(const struct handling *handling)
{
    return reply_bytes(&handling->reply).n > limits_of(handling)->max_answer;
}

/* Whether the work must end without an answer. */
static bool is_over(void *context)
{
    struct handling *handling = context;
    const struct request *request = handling->request;
    handling->has_used_up_cpu = handling->cpu_end_us && clock_thread_us() >= handling->cpu_end_us;
    handling->is_answer_large = has_large_answer(handling);
    return handling->has_used_up_cpu || handling->is_answer_large ||
           (request->abandoned && atomic_load(request->abandoned)) ||
           (request->deadline_us && clock_now_us() >= request->deadline_us);
}

static void call_handler(void *context)
{
    struct handling *handling = context;
    handling->route->handle(handling->service, handling->request, &handling->reply);
}

/* A handler that looks in the caches holds locks, so it must not be left in the middle. */
static bool has_locks(const struct route *route)
{
    return route->works && !route->consumes[0];
}

/* Free memory of large work is returned to the system, so that the next of another
 * shape finds room: by then it has taken many times as long. */
static void give_back(const struct work_outcome *outcome)
{
    (void)outcome;
#ifdef __GLIBC__
    if (outcome->most_bytes > (size_t)LARGE_WORK) malloc_trim(0);
#endif
}

static void explain_end(const struct handling *handling, enum work_end end, struct reply *reply)
{
    if (end == WORK_CANCELLED && handling->has_used_up_cpu)
        problem_set(reply, handling->request, 413, "too-costly",
                    "a report or lint of this text needs more processor time than "
                    "--report-cpu-timeout, %llu ms",
                    (unsigned long long)limits_of(handling)->report_cpu_timeout_ms);
    else if (end == WORK_CANCELLED && handling->is_answer_large)
        problem_set(reply, handling->request, 413, "answer-too-large",
                    "the answer is larger than --max-answer, %llu bytes",
                    (unsigned long long)limits_of(handling)->max_answer);
    else
        problem_from_end(reply, handling->request, end);
}

/* The handler in its work; its answer is dropped when it is too large. */
static enum work_end handle_within_limits(struct handling *handling)
{
    const struct limits *all = limits_of(handling);
    struct work_limits limits = {
        .max_bytes = (size_t)all->work_memory, .cancelled = is_over, .context = handling};
    if (handling->route->reports)
        handling->cpu_end_us = clock_thread_us() + all->report_cpu_timeout_ms * 1000;
    struct work_outcome outcome = work_run(&limits, call_handler, handling);
    give_back(&outcome);
    if (outcome.end == WORK_BUG)
        log_event("error", "bug", "request %s: %s (%s:%d)", handling->request->id, outcome.bug,
                  outcome.file, outcome.line);
    if (outcome.end != WORK_DONE || !has_large_answer(handling)) return outcome.end;
    handling->is_answer_large = true;
    reply_free(&handling->reply);
    return WORK_CANCELLED;
}

enum work_end run_here(struct service *service, const struct route *route,
                       const struct request *request, struct reply *reply)
{
    struct handling handling = {.service = service, .route = route, .request = request};
    if (has_locks(route)) {
        route->handle(service, request, reply);
        return WORK_DONE;
    }
    enum work_end end = handle_within_limits(&handling);
    if (end == WORK_DONE)
        *reply = handling.reply;
    else
        explain_end(&handling, end, reply);
    return end;
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

/* A handler that needs the caches is not run in a separate process. */
void run_request(struct service *service, const struct route *route, const struct request *request,
                 struct reply *reply)
{
    if (service->isolate && route->consumes[0])
        isolate_run(service->isolate, service, request, reply);
    else
        run_here(service, route, request, reply);
}
