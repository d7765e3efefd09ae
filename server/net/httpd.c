/* Requests become structs: libmicrohttpd reads what link.h accepted from channels, a daemon for
 * each thread of loop.h, and writes the answers (response.h) to them. Whatever takes time is a
 * worker's, with the channel suspended. */
#include "server/net/httpd.h"

#include <limits.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "server/base/attempt.h"
#include "server/net/admit.h"
#include "server/net/connection.h"
#include "server/net/head.h"
#include "server/net/loop.h"
#include "server/net/response.h"
#include "server/net/tls.h"
#include "server/work/answer.h"
#include "server/work/exchange.h"

enum { PROBLEM = 256, HEAD_ROOM = 8 };

/* libmicrohttpd in a thread of loop.h. */
struct daemon {
    struct httpd *httpd;
    struct MHD_Daemon *mhd;
    struct channel *joining; /* with a connection being made */
};

struct httpd {
    struct service *service;
    struct admit admit;
    struct queue *queue;
    struct clients *clients;
    struct deadlines *deadlines;
    struct tls *tls;
    struct loops *loops;
    size_t daemon_count;
    struct daemon daemons[];
};

static const struct limits *httpd_limits(const struct httpd *httpd)
{
    return &httpd->service->settings->limits;
}

/* ---- connections of libmicrohttpd: the other ends of channels ---- */

static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct daemon *daemon = cls;
    (void)connection;
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        *context = daemon->joining;
    else
        channel_part(*context);
}

static bool join_channel(void *context, struct channel *channel, int fd)
{
    static const struct sockaddr_un nowhere = {.sun_family = AF_UNIX};
    struct daemon *daemon = context;
    daemon->joining = channel;
    return MHD_add_connection(daemon->mhd, fd, (const struct sockaddr *)&nowhere, sizeof nowhere) ==
           MHD_YES;
}

static bool run_daemon(void *context)
{
    struct daemon *daemon = context;
    MHD_UNSIGNED_LONG_LONG timeout_ms;
    MHD_run(daemon->mhd);
    return MHD_get_timeout(daemon->mhd, &timeout_ms) == MHD_YES && !timeout_ms;
}

static void abandon_request(void *request)
{
    exchange_abandon(request);
}

static void finish_request(void *request, bool is_sent)
{
    exchange_log(request, is_sent);
    exchange_leave(request);
}

/* ---- a request's head ---- */

static struct caller caller_of(const struct httpd *httpd, const struct link *link)
{
    return (struct caller){.fd = link->wire.fd,
                           .address = &link->address,
                           .tls_session =
                               httpd->admit.asks_certificates ? link->wire.session : NULL};
}

struct collect {
    struct request *request;
    struct fields *fields;
};

static enum MHD_Result collect_field(void *cls, enum MHD_ValueKind kind, const char *name,
                                     const char *value)
{
    struct collect *to = cls;
    (void)kind;
    request_add(to->request, to->fields, name, value ? value : "");
    return MHD_YES;
}

struct head {
    struct httpd *httpd;
    struct MHD_Connection *connection;
    const char *target, *method;
    struct exchange *exchange;
};

/* As separate work: a client may make it large without a body. */
static void read_head(void *context)
{
    struct head *head = context;
    struct exchange *exchange = exchange_new(head->httpd->service, head->httpd->clients);
    struct request *request = &exchange->request;
    struct collect headers = {request, &request->headers}, query = {request, &request->query};
    const char *path = head_path(head->target);
    request->method = arena_copy(&request->arena, head->method, strlen(head->method));
    request->path = arena_copy(&request->arena, path, strlen(path));
    MHD_get_connection_values(head->connection, MHD_HEADER_KIND, collect_field, &headers);
    MHD_get_connection_values(head->connection, MHD_GET_ARGUMENT_KIND, collect_field, &query);
    head_address(request, head->target);
    head_join(request);
    head_name(request);
    head_trace(request);
    head->exchange = exchange;
}

/* NULL when out of memory. */
static struct exchange *begin_request(struct httpd *httpd, struct MHD_Connection *connection,
                                      const char *target, const char *method)
{
    struct channel *channel = connection_channel(connection);
    struct head head = {httpd, connection, target, method, NULL};
    if (!attempt(read_head, &head)) return NULL;
    struct exchange *exchange = head.exchange;
    struct caller caller = caller_of(httpd, channel->link);
    channel->request = exchange;
    exchange->connection = connection;
    exchange->resume = connection_resume;
    exchange->is_refused =
        !admit_request(&httpd->admit, &caller, link_fault(channel->link, false), exchange);
    if (!exchange->is_refused && exchange->route->streams)
        exchange->is_refused =
            !exchange_start_batch(exchange, (struct batch_setup){.queue = httpd->queue,
                                                                 .deadlines = httpd->deadlines,
                                                                 .suspend = connection_suspend});
    connection_enter(connection, LINK_BODY);
    return exchange;
}

/* As the library does, except that a NUL does not cut a text short: it is kept as %00. */
static size_t unescape_text(void *cls, struct MHD_Connection *connection, char *text)
{
    (void)cls, (void)connection;
    return strstr(text, "%00") ? strlen(text) : MHD_http_unescape(text);
}

/* ---- a request's body ---- */

/* False as of exchange_receive. Each line has the time limit of a body; the time stops while the
 * batch holds the connection back. */
static bool receive_lines(struct MHD_Connection *connection, struct exchange *exchange,
                          const char *bytes, size_t len)
{
    exchange->received += len;
    switch (batch_feed(exchange->batch, bytes, len)) {
    case BATCH_SAME: break;
    case BATCH_PROGRESS: connection_enter(connection, LINK_BODY); break;
    case BATCH_SUSPENDED: connection_enter(connection, LINK_WORK); break;
    case BATCH_CLOSED: return exchange_drop(exchange, len);
    }
    return true;
}

/* ---- answers ---- */

static enum MHD_Result start_work(struct httpd *httpd, struct MHD_Connection *connection,
                                  struct exchange *exchange)
{
    if (exchange->batch) {
        batch_finish(exchange->batch);
        exchange->state = EXCHANGE_DONE;
        return response_send(httpd->service, connection, exchange, &exchange->reply);
    }
    if (!exchange->route->works) {
        answer_request(httpd->service, exchange->route, &exchange->request, &exchange->reply);
        exchange->state = EXCHANGE_DONE;
        return response_send(httpd->service, connection, exchange, &exchange->reply);
    }
    connection_suspend(connection);
    connection_enter(connection, LINK_WORK);
    if (exchange_start(exchange, httpd->queue, httpd->deadlines)) return MHD_YES;
    /* Resumed at once, as there is nothing to wait for: libmicrohttpd calls this again, and it
     * answers. */
    exchange->state = EXCHANGE_DONE;
    connection_resume(connection);
    return MHD_YES;
}

/* Reads and drops what was refused, so that the client reads the answer; but not what it
 * would have to send first. */
static enum MHD_Result refuse_exchange(struct httpd *httpd, struct MHD_Connection *connection,
                                       struct exchange *exchange)
{
    const char *length = fields_find(&exchange->request.headers, "Content-Length");
    uint64_t most = httpd_limits(httpd)->max_body + EXCHANGE_DROPPED_MOST;
    bool huge = length && strtoull(length, NULL, 10) > most;
    if (!huge && !fields_find(&exchange->request.headers, "Expect")) return MHD_YES;
    return response_send(httpd->service, connection, exchange, &exchange->reply);
}

static bool receive_body(struct httpd *httpd, struct MHD_Connection *connection,
                         struct exchange *exchange, const char *bytes, size_t len)
{
    metrics_add(&httpd->service->metrics, METRICS_BYTES_IN, len);
    return exchange->batch ? receive_lines(connection, exchange, bytes, len)
                           : exchange_receive(exchange, bytes, len);
}

/* The body has come, or the connection was resumed. */
static enum MHD_Result continue_exchange(struct httpd *httpd, struct MHD_Connection *connection,
                                         struct exchange *exchange)
{
    const struct fault *fault = link_fault(connection_channel(connection)->link, true);
    if (fault) admit_no_body(fault, exchange);
    if (exchange->is_refused)
        return response_send(httpd->service, connection, exchange, &exchange->reply);
    pthread_mutex_lock(&exchange->lock);
    enum exchange_state state = exchange->state;
    pthread_mutex_unlock(&exchange->lock);
    switch (state) {
    case EXCHANGE_RECEIVING: return start_work(httpd, connection, exchange);
    case EXCHANGE_WORKING: return MHD_YES;
    case EXCHANGE_LATE: return response_send(httpd->service, connection, exchange, &exchange->late);
    case EXCHANGE_DONE: break;
    }
    return response_send(httpd->service, connection, exchange, &exchange->reply);
}

/* Called for the head, for each piece of the body, and from then on until there is an answer. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **context)
{
    struct httpd *httpd = ((struct daemon *)cls)->httpd;
    struct exchange *exchange = *context;
    const struct link *link = connection_channel(connection)->link;
    (void)version;
    /* The client has closed, or framing.h accepted no such request. */
    if (!link || (!exchange && link->phase != LINK_HEAD)) return MHD_NO;
    if (!exchange) {
        *context = exchange = begin_request(httpd, connection, url, method);
        if (!exchange) return MHD_NO;
        return exchange->is_refused ? refuse_exchange(httpd, connection, exchange) : MHD_YES;
    }
    if (!*upload_size) return continue_exchange(httpd, connection, exchange);
    size_t len = *upload_size;
    *upload_size = 0;
    return receive_body(httpd, connection, exchange, upload, len) ? MHD_YES : MHD_NO;
}

/* A body that the link sends is there until it has done so. */
static void on_completed(void *cls, struct MHD_Connection *connection, void **context,
                         enum MHD_RequestTerminationCode code)
{
    struct channel *channel = connection_channel(connection);
    bool is_written = code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
    bool is_whole = !channel->body.n;
    (void)cls;
    if (!*context) return;
    *context = NULL;
    if (is_whole || !is_written || !channel->link) channel_finish(channel, is_whole && is_written);
    link_answered(channel);
}

/* ---- life ---- */

/* The memory of a connection has the target and the header lines, libmicrohttpd's record of each of
 * them (64 bytes, and framing.c allows one in 16 bytes) and the answer's head: with HEAD_ROOM times
 * the limit there is nothing that libmicrohttpd itself would refuse. Limits, time and TLS are of
 * links. */
static bool start_daemon(struct httpd *httpd, struct daemon *daemon)
{
    const struct limits *limits = httpd_limits(httpd);
    daemon->httpd = httpd;
    daemon->mhd =
        MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0,
                         NULL, NULL, on_request, daemon, MHD_OPTION_NOTIFY_COMPLETED, on_completed,
                         daemon, MHD_OPTION_NOTIFY_CONNECTION, on_connection, daemon,
                         MHD_OPTION_CONNECTION_LIMIT, UINT_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                         (size_t)limits->max_header * HEAD_ROOM, MHD_OPTION_UNESCAPE_CALLBACK,
                         unescape_text, NULL, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
    return daemon->mhd;
}

static bool start_loops(struct httpd *httpd, struct listens *listens)
{
    struct engine *engines = mem_zalloc(httpd->daemon_count, sizeof *engines);
    bool fine = true;
    for (size_t i = 0; fine && i < httpd->daemon_count; i++) {
        struct daemon *daemon = &httpd->daemons[i];
        fine = start_daemon(httpd, daemon);
        if (!fine) break;
        engines[i] = (struct engine){
            .context = daemon,
            .fd = MHD_get_daemon_info(daemon->mhd, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
            .join = join_channel,
            .abandon = abandon_request,
            .finish = finish_request,
            .move = run_daemon};
    }
    if (fine)
        httpd->loops = loops_new(httpd->service, httpd->tls, listens, engines, httpd->daemon_count);
    mem_free(engines);
    return httpd->loops;
}

/* Workers end first: they resume connections. */
static void httpd_free_all(struct httpd *httpd)
{
    if (httpd->queue) queue_free(httpd->queue);
    for (size_t i = 0; i < httpd->daemon_count; i++)
        if (httpd->daemons[i].mhd) MHD_stop_daemon(httpd->daemons[i].mhd);
    if (httpd->loops) loops_free(httpd->loops);
    if (httpd->deadlines) deadlines_free(httpd->deadlines);
    clients_free(httpd->clients);
    tls_free(httpd->tls);
    mem_free(httpd);
}

struct httpd *httpd_start(struct service *service, struct auth *auth, struct listens *listens,
                          char problem[256])
{
    const struct limits *limits = &service->settings->limits;
    size_t threads = (size_t)limits->http_threads;
    struct httpd *httpd = mem_zalloc(1, sizeof *httpd + threads * sizeof *httpd->daemons);
    httpd->service = service;
    httpd->daemon_count = threads;
    httpd->clients = clients_new((size_t)limits->max_requests_per_client);
    snprintf(problem, PROBLEM,
             "the threads of connections cannot start; is the system out of threads or files?");
    if (tls_new(service->settings, &httpd->tls, problem)) {
        httpd->admit = (struct admit){service, auth, service->settings->client_ca};
        httpd->deadlines = deadlines_new();
        httpd->queue = queue_new((size_t)limits->workers, (size_t)limits->queue);
        if (httpd->deadlines && httpd->queue && start_loops(httpd, listens)) return httpd;
    }
    httpd_free_all(httpd);
    return NULL;
}

unsigned httpd_busy(struct httpd *httpd)
{
    return loops_busy(httpd->loops);
}

bool httpd_lives(struct httpd *httpd)
{
    return loops_live(httpd->loops);
}

bool httpd_reload(struct httpd *httpd, char problem[256])
{
    return !httpd->tls || tls_reload(httpd->tls, httpd->service->settings, problem);
}

void httpd_finish(struct httpd *httpd)
{
    loops_finish(httpd->loops);
}

unsigned httpd_left(struct httpd *httpd)
{
    return loops_left(httpd->loops);
}

void httpd_stop(struct httpd *httpd)
{
    loops_stop(httpd->loops);
    httpd_free_all(httpd);
}
