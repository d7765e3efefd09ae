/* Answers one line of a batch. See line_answer.h. */
#include "server/work/line_answer.h"

#include <inttypes.h>
#include <string.h>

#include "server/base/attempt.h"
#include "server/handle/problem.h"
#include "server/work/answer.h"

/* JSON over several lines as one: within its strings there is no line break. False when there is no
 * memory for it. */
static bool add_joined(struct buf *out, struct str body)
{
    while (body.n) {
        const char *end = memchr(body.p, '\n', body.n);
        size_t n = end ? (size_t)(end - body.p) : body.n;
        if (!attempt_add(out, body.p, n)) return false;
        for (n += end != NULL; end && n < body.n && body.p[n] == ' ';) n++;
        body = (struct str){body.p + n, body.n - n};
    }
    return true;
}

/* False when there is no memory for it. */
static bool write_answer(struct buf *out, uint64_t index, const struct reply *reply)
{
    struct str body = reply_bytes(reply);
    while (body.n && body.p[body.n - 1] == '\n') body.n--;
    buf_printf(out, "{\"index\":%" PRIu64 ",\"status\":%d,\"%s\":", index, reply->status,
               reply->status == 200 ? "result" : "problem");
    return add_joined(out, body) && attempt_add(out, "}\n", 2);
}

void line_answer_problem(const struct line_asker *asker, uint64_t index, int status,
                         const char *code, const char *detail, struct buf *out)
{
    struct reply reply = {0};
    struct request request = {0};
    memcpy(request.id, asker->id, sizeof request.id);
    problem_set(&reply, &request, status, code, "%s", detail);
    write_answer(out, index, &reply);
    reply_free(&reply);
}

void line_answer(const struct line_asker *asker, uint64_t index, struct buf line,
                 const atomic_bool *abandoned, struct buf *out)
{
    struct reply reply = {0};
    struct request request = {.method = asker->route->method,
                              .path = asker->route->path,
                              .client = asker->client,
                              .wants = "application/json",
                              .body = line,
                              .trace = asker->trace,
                              .abandoned = abandoned};
    memcpy(request.id, asker->id, sizeof request.id);
    request_add(&request, &request.headers, "Content-Type", "application/json");
    answer_request(asker->service, asker->route, &request, &reply);
    bool fine = write_answer(out, index, &reply);
    reply_free(&reply);
    request_free(&request);
    if (fine) return;
    buf_free(out);
    line_answer_problem(asker, index, 503, "no-memory", "the system has no memory left", out);
}
