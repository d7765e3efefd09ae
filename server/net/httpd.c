/* How do HTTP messages become structs and back? libmicrohttpd parses, an epoll pool moves bytes;
 * whatever takes time is a worker's, with the connection suspended. */
#include "server/net/httpd.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/base/attempt.h"
#include "server/net/admit.h"
#include "server/net/head.h"
#include "server/net/tls.h"
#include "server/net/wire.h"
#include "server/work/answer.h"
#include "server/work/exchange.h"

enum { PROBLEM = 256, STREAM_BLOCK = 32 << 10, HEAD_ROOM = 8, SPARE_FILES = 1024 };

struct httpd {
    struct MHD_Daemon *daemon;
    struct service *service;
    struct admit admit;
    struct queue *queue;
    struct clients *clients;
    struct deadlines *deadlines;
    atomic_uint busy;
    struct tls tls;
};

static const struct limits *limits_of(const struct httpd *httpd)
{
    return &httpd->service->settings->limits;
}

/* ---- connections ---- */

static struct deadline *deadline_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static int socket_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct httpd *httpd = cls;
    int fd = socket_of(connection);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        if (!wire_open(fd, httpd->tls.cert)) shutdown(fd, SHUT_RDWR);
        *context = deadline_add(httpd->deadlines, fd, DEADLINE_RECEIVES,
                                limits_of(httpd)->header_timeout_ms);
        atomic_fetch_add(&httpd->service->metrics.connections, 1);
    } else {
        deadline_remove(httpd->deadlines, *context);
        wire_close(fd);
        atomic_fetch_sub(&httpd->service->metrics.connections, 1);
    }
}

static void resume(void *connection)
{
    MHD_resume_connection(connection);
}

static void suspend(void *connection)
{
    MHD_suspend_connection(connection);
}

/* ---- a request's head ---- */

static struct caller caller_of(const struct httpd *httpd, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *session =
        httpd->admit.asks_certificates
            ? MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION)
            : NULL;
    return (struct caller){
        .fd = socket_of(connection),
        .address =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr,
        .tls_session = session ? session->tls_session : NULL};
}

struct collect {
    struct request *request;
    struct fields *fields;
};

static enum MHD_Result collect(void *cls, enum MHD_ValueKind kind, const char *name,
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

/* As work of its own: it is what a client may make large without a body. */
static void read_head(void *context)
{
    struct head *head = context;
    struct exchange *exchange = exchange_new(head->httpd->service, head->httpd->clients);
    struct request *request = &exchange->request;
    struct collect headers = {request, &request->headers}, query = {request, &request->query};
    const char *path = head_path(head->target);
    request->method = arena_copy(&request->arena, head->method, strlen(head->method));
    request->path = arena_copy(&request->arena, path, strlen(path));
    MHD_get_connection_values(head->connection, MHD_HEADER_KIND, collect, &headers);
    MHD_get_connection_values(head->connection, MHD_GET_ARGUMENT_KIND, collect, &query);
    head_address(request, head->target);
    head_join(request);
    head_name(request);
    head->exchange = exchange;
}

/* NULL when memory is out. */
static struct exchange *begin(struct httpd *httpd, struct MHD_Connection *connection,
                              const char *target, const char *method)
{
    struct head head = {httpd, connection, target, method, NULL};
    if (!attempt(read_head, &head)) return NULL;
    struct exchange *exchange = head.exchange;
    exchange->connection = connection;
    exchange->resume = resume;
    atomic_fetch_add(&httpd->busy, 1);
    struct caller caller = caller_of(httpd, connection);
    exchange->is_refused = !admit_request(&httpd->admit, &caller, exchange);
    if (!exchange->is_refused && exchange->route->streams)
        exchange->is_refused =
            !exchange_start_batch(exchange, (struct batch_setup){.queue = httpd->queue,
                                                                 .deadlines = httpd->deadlines,
                                                                 .suspend = suspend});
    deadline_set(httpd->deadlines, deadline_of(connection), DEADLINE_RECEIVES,
                 limits_of(httpd)->body_timeout_ms);
    return exchange;
}

/* As the library does it, but no text becomes shorter by a NUL in it: that stays %00. */
static size_t unescape(void *cls, struct MHD_Connection *connection, char *text)
{
    (void)cls, (void)connection;
    return strstr(text, "%00") ? strlen(text) : MHD_http_unescape(text);
}

/* ---- a request's body ---- */

/* False as of exchange_receive. Each line has the time of a body; it stands still while the batch
 * holds the connection back. */
static bool receive_lines(struct httpd *httpd, struct MHD_Connection *connection,
                          struct exchange *exchange, const char *bytes, size_t len)
{
    uint64_t timeout_ms = limits_of(httpd)->body_timeout_ms;
    exchange->received += len;
    switch (batch_feed(exchange->batch, bytes, len)) {
    case BATCH_SAME: break;
    case BATCH_PROGRESS:
        deadline_set(httpd->deadlines, deadline_of(connection), DEADLINE_RECEIVES, timeout_ms);
        break;
    case BATCH_SUSPENDED:
        deadline_set(httpd->deadlines, deadline_of(connection), DEADLINE_WAITS, 0);
        break;
    case BATCH_CLOSED: return exchange_drop(exchange, len);
    }
    return true;
}

/* ---- answers ---- */

struct reading {
    struct httpd *httpd;
    struct MHD_Connection *connection;
    struct exchange *exchange;
};

/* Each block has the time of a body to be taken; work has deadlines of its own. */
static ssize_t read_batch(void *cls, uint64_t position, char *bytes, size_t size)
{
    const struct reading *reading = cls;
    struct httpd *httpd = reading->httpd;
    (void)position;
    long len = batch_read(reading->exchange->batch, bytes, size);
    deadline_set(httpd->deadlines, deadline_of(reading->connection), DEADLINE_WAITS,
                 len ? limits_of(httpd)->body_timeout_ms : 0);
    if (len == BATCH_END) return MHD_CONTENT_READER_END_OF_STREAM;
    if (len == BATCH_BROKEN) return MHD_CONTENT_READER_END_WITH_ERROR;
    reading->exchange->sent += (size_t)len;
    metrics_add(&httpd->service->metrics, METRICS_BYTES_OUT, (uint64_t)len);
    return (ssize_t)len;
}

static struct MHD_Response *make_batch_response(struct httpd *httpd,
                                                struct MHD_Connection *connection,
                                                struct exchange *exchange)
{
    struct reading *reading = mem_alloc(sizeof *reading);
    *reading = (struct reading){httpd, connection, exchange};
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_batch, reading,
                                             mem_free);
}

/* The body stays the exchange's, which lives until the request is completed. */
static struct MHD_Response *make_response(const struct reply *reply)
{
    struct str body = reply_bytes(reply);
    return MHD_create_response_from_buffer(body.n, (void *)(uintptr_t)body.p,
                                           MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result answer(struct httpd *httpd, struct MHD_Connection *connection,
                              struct exchange *exchange, const struct reply *reply)
{
    bool is_batch = exchange->batch && !exchange->is_refused;
    struct MHD_Response *response =
        is_batch ? make_batch_response(httpd, connection, exchange) : make_response(reply);
    if (!response) return MHD_NO;
    for (uint32_t i = 0; i < reply->headers.count; i++)
        MHD_add_response_header(response, reply->headers.at[i].name, reply->headers.at[i].value);
    MHD_add_response_header(response, "X-Request-Id", exchange->request.id);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (atomic_load(&httpd->service->draining))
        MHD_add_response_header(response, "Connection", "close");
    bool has_body = !is_batch && reply->status != 304 && strcmp(exchange->request.method, "HEAD");
    exchange->sent = has_body ? reply_bytes(reply).n : 0;
    metrics_add(&httpd->service->metrics, METRICS_BYTES_OUT, exchange->sent);
    deadline_set(httpd->deadlines, deadline_of(connection), DEADLINE_WAITS,
                 limits_of(httpd)->body_timeout_ms);
    enum MHD_Result queued = MHD_queue_response(connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result start_work(struct httpd *httpd, struct MHD_Connection *connection,
                                  struct exchange *exchange)
{
    if (exchange->batch) {
        batch_finish(exchange->batch);
        exchange->state = EXCHANGE_DONE;
        return answer(httpd, connection, exchange, &exchange->reply);
    }
    if (!exchange->route->works) {
        answer_request(httpd->service, exchange->route, &exchange->request, &exchange->reply);
        exchange->state = EXCHANGE_DONE;
        return answer(httpd, connection, exchange, &exchange->reply);
    }
    MHD_suspend_connection(connection);
    if (exchange_start(exchange, httpd->queue)) {
        deadline_work(httpd->deadlines, deadline_of(connection), limits_of(httpd)->work_timeout_ms,
                      exchange_expire, exchange);
        return MHD_YES;
    }
    /* Resumed with nothing to wait for: this is called again at once, and answers. */
    exchange->state = EXCHANGE_DONE;
    MHD_resume_connection(connection);
    return MHD_YES;
}

/* Reads and drops what was refused, so that the client comes to read the answer; but not what it
 * would have to send first. */
static enum MHD_Result refuse(struct httpd *httpd, struct MHD_Connection *connection,
                              struct exchange *exchange)
{
    const char *length = fields_find(&exchange->request.headers, "Content-Length");
    uint64_t most = limits_of(httpd)->max_body + EXCHANGE_DROPPED_MOST;
    bool huge = length && strtoull(length, NULL, 10) > most;
    if (!huge && !fields_find(&exchange->request.headers, "Expect")) return MHD_YES;
    return answer(httpd, connection, exchange, &exchange->reply);
}

static bool receive(struct httpd *httpd, struct MHD_Connection *connection,
                    struct exchange *exchange, const char *bytes, size_t len)
{
    metrics_add(&httpd->service->metrics, METRICS_BYTES_IN, len);
    return exchange->batch ? receive_lines(httpd, connection, exchange, bytes, len)
                           : exchange_receive(exchange, bytes, len);
}

/* The body has come, or the connection was resumed. */
static enum MHD_Result go_on(struct httpd *httpd, struct MHD_Connection *connection,
                             struct exchange *exchange)
{
    struct caller caller = caller_of(httpd, connection);
    if (!admit_body(&caller, exchange)) exchange->is_refused = true;
    if (exchange->is_refused) return answer(httpd, connection, exchange, &exchange->reply);
    pthread_mutex_lock(&exchange->lock);
    enum exchange_state state = exchange->state;
    pthread_mutex_unlock(&exchange->lock);
    /* Not before libmicrohttpd asks again: a connection that is suspended while it counts as one to
     * be read from is closed, when it is resumed and the client has shut down its side
     * meanwhile. */
    if (state == EXCHANGE_RECEIVING && !exchange->is_whole && exchange->route->works &&
        !exchange->batch) {
        exchange->is_whole = true;
        return MHD_YES;
    }
    switch (state) {
    case EXCHANGE_RECEIVING: return start_work(httpd, connection, exchange);
    case EXCHANGE_WORKING: return MHD_YES;
    case EXCHANGE_LATE: return answer(httpd, connection, exchange, &exchange->late);
    case EXCHANGE_DONE: break;
    }
    return answer(httpd, connection, exchange, &exchange->reply);
}

/* Called for the head, for each piece of the body, and from then on until there is an answer. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **context)
{
    struct httpd *httpd = cls;
    struct exchange *exchange = *context;
    (void)version;
    if (!exchange) {
        *context = exchange = begin(httpd, connection, url, method);
        if (!exchange) return MHD_NO;
        return exchange->is_refused ? refuse(httpd, connection, exchange) : MHD_YES;
    }
    if (!*upload_size) return go_on(httpd, connection, exchange);
    size_t len = *upload_size;
    *upload_size = 0;
    return receive(httpd, connection, exchange, upload, len) ? MHD_YES : MHD_NO;
}

static void on_completed(void *cls, struct MHD_Connection *connection, void **context,
                         enum MHD_RequestTerminationCode code)
{
    struct httpd *httpd = cls;
    struct exchange *exchange = *context;
    const struct limits *limits = limits_of(httpd);
    if (!exchange) return;
    /* The next request of the connection: its first byte within the idle time, then its head. */
    deadline_set(httpd->deadlines, deadline_of(connection), DEADLINE_RECEIVES,
                 limits->idle_timeout_s * 1000 + limits->header_timeout_ms);
    exchange_log(exchange, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    atomic_fetch_sub(&httpd->busy, 1);
    exchange_leave(exchange);
    *context = NULL;
}

/* ---- life ---- */

/* The memory of a connection has the target and the header lines, libmicrohttpd's record of each of
 * them (64 bytes, and framing.c allows one in 16 bytes) and the answer's head: with HEAD_ROOM times
 * the limit there is nothing that libmicrohttpd itself would refuse. */
static struct MHD_Daemon *start_daemon(struct httpd *httpd, int fd)
{
    const struct limits *limits = limits_of(httpd);
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    /* RFC 8996: no TLS below 1.2. */
    static char tls_priorities[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";
    struct MHD_OptionItem options[8];
    unsigned count = 0;
    if (limits->http_threads > 1)
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_THREAD_POOL_SIZE,
                                                   (intptr_t)limits->http_threads, NULL};
    if (httpd->tls.cert) {
        flags |= MHD_USE_TLS;
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, httpd->tls.cert};
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, httpd->tls.key};
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0, tls_priorities};
    }
    if (httpd->tls.client_ca)
        options[count++] =
            (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_TRUST, 0, httpd->tls.client_ca};
    options[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    return MHD_start_daemon(
        flags, 0, NULL, NULL, on_request, httpd, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, httpd, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, httpd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)limits->max_connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)limits->max_connections_per_address,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)limits->idle_timeout_s,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)limits->max_header * HEAD_ROOM,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

static void free_all(struct httpd *httpd)
{
    if (httpd->queue) queue_free(httpd->queue);
    if (httpd->deadlines) deadlines_free(httpd->deadlines);
    clients_free(httpd->clients);
    tls_free(&httpd->tls);
    mem_free(httpd);
}

struct httpd *httpd_start(struct service *service, struct auth *auth, int fd, char problem[256])
{
    struct httpd *httpd = mem_zalloc(1, sizeof *httpd);
    const struct limits *limits = &service->settings->limits;
    httpd->service = service;
    httpd->clients = clients_new((size_t)limits->max_requests_per_client);
    wire_init((size_t)limits->max_connections + SPARE_FILES, (size_t)limits->max_header);
    snprintf(problem, PROBLEM,
             "libmicrohttpd cannot start; is the system out of threads or files?");
    if (tls_read(&httpd->tls, service->settings, problem)) {
        httpd->admit = (struct admit){service, auth, httpd->tls.client_ca};
        httpd->deadlines = deadlines_new(&service->metrics);
        httpd->queue = queue_new((size_t)limits->workers, (size_t)limits->queue);
        if (httpd->deadlines && httpd->queue) httpd->daemon = start_daemon(httpd, fd);
    }
    if (httpd->daemon) return httpd;
    free_all(httpd);
    return NULL;
}

unsigned httpd_busy(struct httpd *httpd)
{
    return atomic_load(&httpd->busy);
}

void httpd_stop(struct httpd *httpd)
{
    MHD_stop_daemon(httpd->daemon);
    free_all(httpd);
}
