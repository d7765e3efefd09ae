/* Keeps a request and its answer while two threads share them. The connection's thread owns
 * them until the request is WORKING, then the worker owns them until it is DONE. After LATE, or
 * when the connection is closed, the answer is not sent. The last of the two threads frees
 * them. */
#include "server/work/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/base/attempt.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/base/spans.h"
#include "server/handle/problem.h"
#include "server/work/answer.h"

enum { FIRST_MOST = 4 << 20 };

static struct exchange *of_job(struct job *job)
{
    return (struct exchange *)(void *)job;
}

/* With the lock held. */
static void exchange_wake(struct exchange *exchange)
{
    if (!exchange->suspended || exchange->gone) return;
    exchange->suspended = false;
    exchange->resume(exchange->connection);
}

struct exchange *exchange_new(struct service *service, struct clients *clients)
{
    struct exchange *exchange = mem_zalloc(1, sizeof *exchange);
    pthread_mutex_init(&exchange->lock, NULL);
    exchange->service = service;
    exchange->clients = clients;
    exchange->references = 1;
    exchange->request.abandoned = &exchange->abandoned;
    exchange->begin_us = clock_now_us();
    return exchange;
}

static void exchange_release(struct exchange *exchange)
{
    pthread_mutex_lock(&exchange->lock);
    bool last = --exchange->references == 0;
    pthread_mutex_unlock(&exchange->lock);
    if (!last) return;
    service_release(exchange->service, exchange->reserved);
    vec_free(&exchange->always);
    request_free(&exchange->request);
    reply_free(&exchange->reply);
    reply_free(&exchange->late);
    pthread_mutex_destroy(&exchange->lock);
    mem_free(exchange);
}

/* ---- the body ---- */

static void exchange_refuse(struct exchange *exchange, int status, const char *code,
                            const char *detail)
{
    exchange->is_refused = true;
    buf_free(&exchange->request.body);
    if (status == 503)
        problem_retry(&exchange->reply, &exchange->request, 503, code, detail);
    else
        problem_set(&exchange->reply, &exchange->request, status, code, "%s", detail);
}

bool exchange_drop(struct exchange *exchange, size_t len)
{
    const struct limits *limits = &exchange->service->settings->limits;
    uint64_t most = exchange->batch ? limits->max_batch_bytes : limits->max_body;
    exchange->dropped += len;
    return exchange->dropped <= most + EXCHANGE_DROPPED_MOST;
}

/* The memory to allocate at first: what the client announces, but not much of it. */
static size_t first_room(const struct exchange *exchange)
{
    const char *text = fields_find(&exchange->request.headers, "Content-Length");
    uint64_t length = text ? strtoull(text, NULL, 10) : 0;
    return length < FIRST_MOST ? (size_t)length : FIRST_MOST;
}

bool exchange_receive(struct exchange *exchange, const char *bytes, size_t len)
{
    exchange->received += len;
    if (!exchange->is_refused && exchange->received > exchange->service->settings->limits.max_body)
        exchange_refuse(exchange, 413, "too-large", "the body is larger than --max-body");
    /* What no handler reads is not kept. */
    if (exchange->is_refused || !exchange->route->consumes[0]) return exchange_drop(exchange, len);
    if (!service_reserve(exchange->service, len)) {
        exchange_refuse(exchange, 503, "busy", "too many bytes are waiting");
        return true;
    }
    exchange->reserved += len;
    if (!exchange->request.body.cap) attempt_expect(&exchange->request.body, first_room(exchange));
    if (!attempt_add(&exchange->request.body, bytes, len))
        exchange_refuse(exchange, 503, "no-memory", "the system has no memory left");
    return true;
}

/* ---- work ---- */

static void exchange_finish(struct exchange *exchange)
{
    pthread_mutex_lock(&exchange->lock);
    if (exchange->state == EXCHANGE_WORKING) exchange->state = EXCHANGE_DONE;
    exchange_wake(exchange);
    pthread_mutex_unlock(&exchange->lock);
}

static void exchange_run(struct job *job)
{
    struct exchange *exchange = of_job(job);
    struct service *service = exchange->service;
    atomic_fetch_sub(&service->metrics.queued, 1);
    atomic_fetch_add(&service->metrics.in_work, 1);
    pthread_mutex_lock(&exchange->lock);
    bool wanted = exchange->state == EXCHANGE_WORKING && !exchange->gone;
    pthread_mutex_unlock(&exchange->lock);
    if (wanted) answer_request(service, exchange->route, &exchange->request, &exchange->reply);
    clients_leave(exchange->clients, exchange->request.client);
    atomic_fetch_sub(&service->metrics.in_work, 1);
    exchange_finish(exchange);
    exchange_release(exchange);
}

static bool exchange_enter_client(struct exchange *exchange)
{
    if (clients_enter(exchange->clients, exchange->request.client)) return true;
    problem_retry(&exchange->reply, &exchange->request, 429, "too-many",
                  "this client has too many active requests");
    return false;
}

/* The queue is full. */
static bool refuse_busy(struct exchange *exchange)
{
    clients_leave(exchange->clients, exchange->request.client);
    metrics_add(&exchange->service->metrics, METRICS_QUEUE_FULL, 1);
    problem_retry(&exchange->reply, &exchange->request, 503, "busy", "the queue is full");
    return false;
}

static void set_state(struct exchange *exchange, enum exchange_state state, unsigned references)
{
    pthread_mutex_lock(&exchange->lock);
    exchange->state = state;
    exchange->suspended = state == EXCHANGE_WORKING;
    exchange->references = references;
    pthread_mutex_unlock(&exchange->lock);
}

/* The time is over: the worker's answer is dropped. */
static void answer_late(void *argument)
{
    struct exchange *exchange = argument;
    struct service *service = exchange->service;
    pthread_mutex_lock(&exchange->lock);
    if (exchange->state == EXCHANGE_WORKING) {
        exchange->state = EXCHANGE_LATE;
        atomic_store(&exchange->abandoned, true);
        metrics_add(&service->metrics, METRICS_TIMEOUTS, 1);
        problem_retry(&exchange->late, &exchange->request, 503, "timeout",
                      "the request took longer than --work-timeout");
        /* It leaves its place to others. The connection still holds it. */
        if (queue_remove(exchange->queue, &exchange->job)) {
            atomic_fetch_sub(&service->metrics.queued, 1);
            clients_leave(exchange->clients, exchange->request.client);
            exchange->references--;
        }
        exchange_wake(exchange);
    }
    pthread_mutex_unlock(&exchange->lock);
}

bool exchange_start(struct exchange *exchange, struct queue *queue, struct deadlines *deadlines)
{
    struct service *service = exchange->service;
    if (!exchange_enter_client(exchange)) return false;
    exchange->job.run = exchange_run;
    exchange->job.client = queue_client(exchange->request.client);
    exchange->queue = queue;
    set_state(exchange, EXCHANGE_WORKING, 2);
    atomic_fetch_add(&service->metrics.queued, 1);
    if (!queue_push(queue, &exchange->job)) {
        atomic_fetch_sub(&service->metrics.queued, 1);
        set_state(exchange, EXCHANGE_DONE, 1);
        return refuse_busy(exchange);
    }
    exchange->deadlines = deadlines;
    exchange->deadline =
        deadline_add(deadlines, service->settings->limits.work_timeout_ms, answer_late, exchange);
    return true;
}

/* False, with a problem, for more in the query than the route of the lines. */
static bool is_query_of_batch(struct exchange *exchange)
{
    const struct request *request = &exchange->request;
    const char *route = fields_find(&request->query, "route");
    for (uint32_t i = 0; i < request->query.count; i++) {
        if (request->query.at[i].value == route) continue;
        problem_set(&exchange->reply, request, 400, "bad-request",
                    "'%.60s' in the query: expected only route; each line of a batch has its own "
                    "options",
                    request->query.at[i].name);
        return false;
    }
    if (!route || batch_route(route)) return true;
    problem_set(&exchange->reply, request, 400, "bad-request",
                "route=%.60s in the query: expected /v1/optimize or /v1/lint", route);
    return false;
}

bool exchange_start_batch(struct exchange *exchange, struct batch_setup setup)
{
    const char *coding;
    struct reply *reply = &exchange->reply;
    if (!is_query_of_batch(exchange)) return false;
    if (!exchange_enter_client(exchange)) return false;
    if (queue_is_full(setup.queue)) return refuse_busy(exchange);
    setup.service = exchange->service;
    setup.connection = exchange->connection;
    setup.resume = exchange->resume;
    exchange->batch = batch_new(&setup, &exchange->request, &coding);
    reply->status = 200;
    reply_header(reply, "Content-Type", "%s", exchange->request.wants);
    reply_header(reply, "Vary", "Accept, Accept-Encoding");
    if (coding) reply_header(reply, "Content-Encoding", "%s", coding);
    return true;
}

/* The trace is in the log where the client or a collector has it. */
static const struct trace *shown_trace(const struct exchange *exchange)
{
    const struct trace *trace = &exchange->request.trace;
    return *trace->parent_id || exchange->service->spans ? trace : NULL;
}

static void log_exchange(const struct exchange *exchange, const struct reply *reply, int status,
                         uint64_t duration_us)
{
    bool could_hit = exchange->route && exchange->route->works && !exchange->batch &&
                     (status == 200 || status == 304);
    const struct request *request = &exchange->request;
    log_request(&(struct log_request){
        .id = request->id,
        .client = request->client,
        .address = request->client == request->address ? "" : request->address,
        .method = request->method,
        .path = request->path,
        .status = status,
        .duration_us = duration_us,
        .bytes_in = exchange->received,
        .bytes_out = exchange->sent,
        .cache = could_hit ? (reply->from_cache ? "hit" : "miss") : "",
        .trace = shown_trace(exchange)});
}

static void send_span(const struct exchange *exchange, const char *route, int status,
                      uint64_t duration_us)
{
    const struct request *request = &exchange->request;
    struct timespec now;
    struct trace_span span = {
        .trace = request->trace, .status = status, .duration_ns = duration_us * 1000};
    clock_gettime(CLOCK_REALTIME, &now);
    span.end_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    snprintf(span.method, sizeof span.method, "%s", request->method);
    snprintf(span.route, sizeof span.route, "%s", route);
    snprintf(span.client, sizeof span.client, "%s", request->address);
    snprintf(span.request_id, sizeof span.request_id, "%s", request->id);
    spans_add(exchange->service->spans, &span);
}

void exchange_log(const struct exchange *exchange, bool is_complete)
{
    bool late = exchange->state == EXCHANGE_LATE;
    const struct reply *reply = late ? &exchange->late : &exchange->reply;
    uint64_t duration_us = clock_now_us() - exchange->begin_us;
    size_t count, route = METRICS_ROUTES;
    const struct route *all = routes_all(&count);
    if (exchange->route) route = (size_t)(exchange->route - all);
    /* 499: the client left before its answer. */
    int status = is_complete ? reply->status : 499;
    metrics_request(&exchange->service->metrics, (unsigned)route, status, duration_us);
    if (exchange->route && exchange->route->quiet && status < 400) return;
    log_exchange(exchange, reply, status, duration_us);
    if (exchange->service->spans) send_span(exchange, routes_name(route), status, duration_us);
}

void exchange_abandon(struct exchange *exchange)
{
    atomic_store(&exchange->abandoned, true);
}

void exchange_leave(struct exchange *exchange)
{
    if (exchange->deadline) deadline_remove(exchange->deadlines, exchange->deadline);
    pthread_mutex_lock(&exchange->lock);
    exchange->gone = true;
    atomic_store(&exchange->abandoned, true);
    pthread_mutex_unlock(&exchange->lock);
    if (exchange->batch) {
        clients_leave(exchange->clients, exchange->request.client);
        batch_leave(exchange->batch);
    }
    exchange_release(exchange);
}
