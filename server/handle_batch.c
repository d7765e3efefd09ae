/* POST /v1/batch: a line of JSON in, a line of JSON out, sent as soon as it is known and in the
 * same order. Each line is a request of /v1/optimize of its own, with caches and --isolate. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/json_out.h"
#include "server/problem.h"
#include "server/routes.h"

static bool is_blank(struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (!strchr(" \t\r", line.p[i])) return false;
    return true;
}

/* {"index":…,"status":…,"result"|"problem":…} */
static void answer_line(struct service *service, const struct request *whole, uint64_t index,
                        struct str line, struct buf *out)
{
    char allow[64];
    struct reply reply = {0};
    struct request request = {.method = "POST", .path = "/v1/optimize",
                              .client = whole->client, .wants = "application/json"};
    memcpy(request.id, whole->id, sizeof request.id);
    request_add(&request, &request.headers, "Content-Type", "application/json");
    buf_add(&request.body, line.p, line.n);
    const struct route *route = routes_find("POST", "/v1/optimize", allow, sizeof allow);
    service_answer(service, route, &request, &reply);
    struct str body = reply_bytes(&reply);
    while (body.n && body.p[body.n - 1] == '\n') body.n--;
    buf_putc(out, '{');
    json_out_number(out, "index", index);
    json_out_number(out, "status", (uint64_t)reply.status);
    json_out_name(out, reply.status == 200 ? "result" : "problem");
    buf_add(out, body.p, body.n);
    buf_puts(out, "}\n");
    reply_free(&reply);
    request_free(&request);
}

static void refuse_line(const struct request *whole, uint64_t index, uint64_t most,
                        struct buf *out)
{
    char detail[80];
    snprintf(detail, sizeof detail, "a batch has at most %" PRIu64 " lines; the rest is left out",
             most);
    buf_putc(out, '{');
    json_out_number(out, "index", index);
    json_out_number(out, "status", 413);
    json_out_name(out, "problem");
    problem_write(out, whole->id, 413, "too-many-items", detail, NULL, 0);
    buf_puts(out, "}\n");
}

void handle_batch(struct service *service, const struct request *request, struct reply *reply)
{
    struct str rest = {request->body.data, request->body.len};
    uint64_t index = 0, most = service->settings->limits.max_batch_items;
    bool heard = true;
    reply->status = 200;
    reply->streamed = true;
    reply_header(reply, "Content-Type", "application/x-ndjson");
    request->sink->open(request->sink, reply);
    while (rest.n && heard && index <= most) {
        const char *end = memchr(rest.p, '\n', rest.n);
        struct str line = {rest.p, end ? (size_t)(end - rest.p) : rest.n};
        rest.p += line.n + (end != NULL);
        rest.n -= line.n + (end != NULL);
        if (is_blank(line)) continue;
        struct buf out = {0};
        if (index == most) refuse_line(request, index, most, &out);
        else answer_line(service, request, index, line, &out);
        heard = request->sink->write(request->sink, out.data, out.len);
        buf_free(&out);
        index++;
    }
}
