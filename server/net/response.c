/* See response.h. */
#include "server/net/response.h"

#include <string.h>

#include "base/mem.h"
#include "server/net/channel.h"
#include "server/net/connection.h"

enum { STREAM_BLOCK = 32 << 10 };

struct reading {
    struct service *service;
    struct MHD_Connection *connection;
    struct exchange *exchange;
};

/* Each block has the time of a body to be taken; work has other deadlines. */
static ssize_t read_batch(void *cls, uint64_t position, char *bytes, size_t size)
{
    const struct reading *reading = cls;
    (void)position;
    long len = batch_read(reading->exchange->batch, bytes, size);
    connection_enter(reading->connection, len ? LINK_ANSWER : LINK_WORK);
    if (len == BATCH_END) return MHD_CONTENT_READER_END_OF_STREAM;
    if (len == BATCH_BROKEN) return MHD_CONTENT_READER_END_WITH_ERROR;
    reading->exchange->sent += (size_t)len;
    metrics_add(&reading->service->metrics, METRICS_BYTES_OUT, (uint64_t)len);
    return (ssize_t)len;
}

static struct MHD_Response *make_batch_response(struct service *service,
                                                struct MHD_Connection *connection,
                                                struct exchange *exchange)
{
    struct reading *reading = mem_alloc(sizeof *reading);
    *reading = (struct reading){service, connection, exchange};
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_batch, reading,
                                             mem_free);
}

/* A body that is sent goes from the exchange, which owns it, to the client, and libmicrohttpd
 * writes the head of an empty answer; of another (HEAD, 304) it needs the length. */
static struct MHD_Response *make_response(struct channel *channel, const struct reply *reply,
                                          bool has_body)
{
    struct str body = reply_bytes(reply);
    if (has_body) channel->body = body;
    return MHD_create_response_from_buffer(has_body ? 0 : body.n, (void *)(uintptr_t)body.p,
                                           MHD_RESPMEM_PERSISTENT);
}

static void add_headers(struct MHD_Response *response, const struct fields *headers)
{
    for (uint32_t i = 0; i < headers->count; i++)
        MHD_add_response_header(response, headers->at[i].name, headers->at[i].value);
}

enum MHD_Result response_send(struct service *service, struct MHD_Connection *connection,
                              struct exchange *exchange, const struct reply *reply)
{
    bool is_batch = exchange->batch && !exchange->is_refused;
    bool has_body = !is_batch && reply->status != 304 && strcmp(exchange->request.method, "HEAD");
    struct MHD_Response *response =
        is_batch ? make_batch_response(service, connection, exchange)
                 : make_response(connection_channel(connection), reply, has_body);
    if (!response) return MHD_NO;
    add_headers(response, &reply->headers);
    add_headers(response, &exchange->always);
    MHD_add_response_header(response, "X-Request-Id", exchange->request.id);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (atomic_load(&service->draining)) MHD_add_response_header(response, "Connection", "close");
    exchange->sent = has_body ? reply_bytes(reply).n : 0;
    metrics_add(&service->metrics, METRICS_BYTES_OUT, exchange->sent);
    connection_enter(connection, LINK_ANSWER);
    enum MHD_Result queued = MHD_queue_response(connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return queued;
}
