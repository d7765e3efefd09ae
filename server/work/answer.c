/* Takes a request from its bytes to its answer: decompress, look up, handle, keep, compress. */
#include "server/work/answer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "api/ptxopt.h"
#include "server/handle/codec.h"
#include "server/handle/negotiate.h"
#include "server/handle/problem.h"
#include "server/handle/range.h"
#include "server/store/answers.h"
#include "server/store/digests.h"
#include "server/work/prove.h"
#include "server/work/run.h"

enum { WORTH_COMPRESSING = 1024 };

/* ---- the body ---- */

/* *reserved: bytes to be released with the request. */
static bool decode_body(struct service *service, struct request *request, struct reply *reply,
                        size_t *reserved)
{
    const char *coding = fields_find(&request->headers, "Content-Encoding");
    struct buf plain = {0};
    size_t most = (size_t)service->settings->limits.max_decompressed;
    if (!coding || strcasecmp(coding, "identity") == 0) return true;
    struct str body = {request->body.data, request->body.len};
    switch (codec_decode(coding, body, most, &plain)) {
    case CODEC_DONE:
        buf_free(&request->body);
        request->body = plain;
        if (service_reserve(service, plain.len)) {
            *reserved = plain.len;
            return true;
        }
        problem_retry(reply, request, 503, "busy", "too many bytes are waiting");
        break;
    case CODEC_TOO_LARGE:
        problem_set(reply, request, 413, "too-large", "a body decompresses to at most %zu bytes",
                    most);
        break;
    case CODEC_UNKNOWN:
    case CODEC_NO_MEMORY: problem_from_end(reply, request, WORK_NO_MEMORY); break;
    case CODEC_WINDOW:
        problem_set(reply, request, 415, "zstd-window",
                    "the zstd window is larger than %d MiB (RFC 8878); compress without --long",
                    CODEC_WINDOW_MIB);
        break;
    case CODEC_CORRUPT:
        problem_set(reply, request, 400, "corrupt", "the body is not valid %.20s", coding);
    }
    return false;
}

/* ---- the answer ---- */

static int compare_field_names(const void *a, const void *b)
{
    return strcmp(((const struct field *)a)->name, ((const struct field *)b)->name);
}

/* The name of the answer: everything that it depends on, each piece with its length. */
static void name_answer(const struct service *service, const struct route *route,
                        const struct request *request, char key[DIGEST_HEX + 1])
{
    struct buf head = {0};
    unsigned char digest[DIGEST_BYTES];
    const char *type = fields_find(&request->headers, "Content-Type");
    bool json = type && negotiate_is_type(type, "application/json");
    const char *wants = request->wants ? request->wants : fields_find(&request->headers, "Accept");
    buf_printf(&head, "%s %s\n%s\n%s\n%s\n", ptxopt_version(), service->build ? service->build : "",
               route->path, wants ? wants : "", json ? "json" : "raw");
    size_t size = request->query.count * sizeof *request->query.at;
    struct field *sorted = mem_alloc(size);
    if (size) memcpy(sorted, request->query.at, size);
    qsort(sorted, request->query.count, sizeof *sorted, compare_field_names);
    for (uint32_t i = 0; i < request->query.count; i++)
        buf_printf(&head, "%zu:%s%zu:%s", strlen(sorted[i].name), sorted[i].name,
                   strlen(sorted[i].value), sorted[i].value);
    mem_free(sorted);
    buf_printf(&head, "\n%zu\n", request->body.len);
    struct str pieces[] = {{head.data, head.len}, {request->body.data, request->body.len}};
    digests_find(service->digests, pieces, 2, digest);
    digest_print(digest, key);
    buf_free(&head);
}

static void answer_route(struct service *service, const struct route *route,
                         struct request *request, struct reply *reply)
{
    char key[DIGEST_HEX + 1];
    if (!route->consumes[0]) {
        run_request(service, route, request, reply);
        return;
    }
    name_answer(service, route, request, key);
    if (answers_recall(service, key, request, prove_again, reply)) return;
    run_request(service, route, request, reply);
    if (reply->keep) answers_keep(service, key, request, reply);
}

/* Whether the tag is among those of If-None-Match. W/ does not count (RFC 9110, section 13.1.2). */
static bool list_has_tag(const char *list, const char *tag)
{
    size_t len = strlen(tag);
    if (strcmp(list, "*") == 0) return true;
    for (const char *at = strstr(list, tag); at; at = strstr(at + 1, tag)) {
        bool begins = at == list || strchr(", \t/", at[-1]);
        if (begins && strchr(", \t", at[len])) return true;
    }
    return false;
}

/* RFC 9110, section 13.1.2: 304 for GET, 412 for other methods. The body stays, for the length that
 * 200 would have; it is not sent. */
static void apply_condition(const struct request *request, struct reply *reply)
{
    const char *tag = fields_find(&reply->headers, "ETag");
    const char *list = fields_find(&request->headers, "If-None-Match");
    if (!tag || !list || reply->status != 200 || !list_has_tag(list, tag)) return;
    if (strcmp(request->method, "POST") == 0)
        problem_set(reply, request, 412, "precondition-failed", "the answer is the one you named");
    else
        reply->status = 304;
}

/* The coded body has another tag: "KEY-gzip". */
static void tag_coding(struct reply *reply, const char *coding)
{
    for (uint32_t i = 0; i < reply->headers.count; i++) {
        struct field *field = &reply->headers.at[i];
        if (strcasecmp(field->name, "ETag") == 0)
            field->value = arena_printf(&reply->arena, "%.*s-%s\"", (int)strlen(field->value) - 1,
                                        field->value, coding);
    }
}

static void compress_body(const struct request *request, struct reply *reply)
{
    struct str body = reply_bytes(reply);
    struct buf small = {0};
    const char *coding = codec_choose(fields_find(&request->headers, "Accept-Encoding"));
    reply_header(reply, "Vary", "Accept, Accept-Encoding");
    if (fields_find(&reply->headers, "Content-Encoding")) return; /* a document's own */
    if (body.n < WORTH_COMPRESSING || !coding || !codec_encode(coding, body, &small)) return;
    buf_free(&reply->body);
    reply->body = small;
    reply_header(reply, "Content-Encoding", "%s", coding);
    tag_coding(reply, coding);
}

void answer_request(struct service *service, const struct route *route, struct request *request,
                    struct reply *reply)
{
    size_t reserved = 0;
    trace_set_current(*request->trace.trace_id ? &request->trace : NULL);
    if (!route->works)
        run_here(service, route, request, reply);
    else if (decode_body(service, request, reply, &reserved))
        answer_route(service, route, request, reply);
    compress_body(request, reply);
    apply_condition(request, reply);
    range_apply(request, reply);
    service_release(service, reserved);
    trace_set_current(NULL);
}
