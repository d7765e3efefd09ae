/* Who may touch a request when? The connection's thread until it is WORKING, the worker until it is
 * DONE; after LATE or with a connection gone the worker finishes for nobody. The last of the two
 * frees it. */
#include "server/exchange.h"

#include <string.h>

#include "server/problem.h"
#include "server/service.h"

static struct exchange *of_job(struct job *job)
{
    return (struct exchange *)(void *)job;
}

static struct exchange *of_sink(struct sink *sink)
{
    return (struct exchange *)(void *)((char *)sink - offsetof(struct exchange, sink));
}

/* With the lock held. */
static void wake(struct exchange *exchange)
{
    if (!exchange->suspended || exchange->gone) return;
    exchange->suspended = false;
    exchange->resume(exchange->connection);
}

static void sink_open(struct sink *sink, const struct reply *head)
{
    struct exchange *exchange = of_sink(sink);
    (void)head; /* it is exchange->reply, which from now on nobody changes */
    pthread_mutex_lock(&exchange->lock);
    if (exchange->state == EXCHANGE_WORKING) {
        exchange->state = EXCHANGE_STREAMING;
        wake(exchange);
    }
    pthread_mutex_unlock(&exchange->lock);
}

static bool sink_write(struct sink *sink, const char *bytes, size_t len)
{
    struct exchange *exchange = of_sink(sink);
    pthread_mutex_lock(&exchange->lock);
    bool heard = exchange->state == EXCHANGE_STREAMING && !exchange->gone;
    if (heard) {
        buf_add(&exchange->stream, bytes, len);
        wake(exchange);
    }
    pthread_mutex_unlock(&exchange->lock);
    return heard;
}

struct exchange *exchange_new(struct service *service, struct clients *clients)
{
    struct exchange *exchange = mem_zalloc(1, sizeof *exchange);
    pthread_mutex_init(&exchange->lock, NULL);
    exchange->service = service;
    exchange->clients = clients;
    exchange->references = 1;
    exchange->begin_us = watch_now_us();
    exchange->sink = (struct sink){sink_open, sink_write};
    exchange->request.sink = &exchange->sink;
    return exchange;
}

void exchange_release(struct exchange *exchange)
{
    pthread_mutex_lock(&exchange->lock);
    bool last = --exchange->references == 0;
    pthread_mutex_unlock(&exchange->lock);
    if (!last) return;
    request_free(&exchange->request);
    reply_free(&exchange->reply);
    reply_free(&exchange->late);
    buf_free(&exchange->stream);
    pthread_mutex_destroy(&exchange->lock);
    mem_free(exchange);
}

static void finish(struct exchange *exchange)
{
    pthread_mutex_lock(&exchange->lock);
    exchange->ended = true;
    if (exchange->state == EXCHANGE_WORKING) exchange->state = EXCHANGE_DONE;
    wake(exchange);
    pthread_mutex_unlock(&exchange->lock);
}

static void run(struct job *job)
{
    struct exchange *exchange = of_job(job);
    struct service *service = exchange->service;
    atomic_fetch_sub(&service->metrics.queued, 1);
    atomic_fetch_add(&service->metrics.in_work, 1);
    pthread_mutex_lock(&exchange->lock);
    bool wanted = exchange->state == EXCHANGE_WORKING && !exchange->gone;
    pthread_mutex_unlock(&exchange->lock);
    if (wanted) service_answer(service, exchange->route, &exchange->request, &exchange->reply);
    clients_leave(exchange->clients, exchange->request.client);
    atomic_fetch_sub(&service->metrics.in_work, 1);
    finish(exchange);
    exchange_release(exchange);
}

bool exchange_start(struct exchange *exchange, struct queue *queue)
{
    struct service *service = exchange->service;
    if (!clients_enter(exchange->clients, exchange->request.client)) {
        problem_retry(&exchange->reply, &exchange->request, 429, "too-many",
                      "this client has too many requests in work");
        return false;
    }
    exchange->job.run = run;
    exchange->references = 2;
    exchange->state = EXCHANGE_WORKING;
    exchange->suspended = true;
    atomic_fetch_add(&service->metrics.queued, 1);
    if (queue_push(queue, &exchange->job)) return true;
    atomic_fetch_sub(&service->metrics.queued, 1);
    exchange->references = 1;
    exchange->state = EXCHANGE_DONE;
    exchange->suspended = false;
    clients_leave(exchange->clients, exchange->request.client);
    metrics_add(&service->metrics, METRICS_QUEUE_FULL, 1);
    problem_retry(&exchange->reply, &exchange->request, 503, "busy", "the queue is full");
    return false;
}

void exchange_expire(void *argument)
{
    struct exchange *exchange = argument;
    pthread_mutex_lock(&exchange->lock);
    if (exchange->state == EXCHANGE_WORKING) {
        exchange->state = EXCHANGE_LATE;
        metrics_add(&exchange->service->metrics, METRICS_TIMEOUTS, 1);
        problem_retry(&exchange->late, &exchange->request, 503, "timeout",
                      "the request took longer than --work-timeout");
        wake(exchange);
    }
    pthread_mutex_unlock(&exchange->lock);
}

long exchange_read(struct exchange *exchange, char *bytes, size_t size,
                   void (*suspend)(void *connection))
{
    pthread_mutex_lock(&exchange->lock);
    struct buf *stream = &exchange->stream;
    size_t len = stream->len - exchange->streamed;
    if (len > size) len = size;
    if (len) memcpy(bytes, stream->data + exchange->streamed, len);
    exchange->streamed += len;
    if (exchange->streamed == stream->len) stream->len = exchange->streamed = 0;
    bool ended = !len && exchange->ended;
    if (!len && !ended) {
        exchange->suspended = true;
        suspend(exchange->connection);
    }
    pthread_mutex_unlock(&exchange->lock);
    return ended ? -1 : (long)len;
}
