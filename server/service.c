/* What happens to a request between its bytes and its answer? Admitted, decompressed, looked up,
 * handled, kept, compressed, in that order. */
#include "server/service.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/ptxopt.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/handle/codec.h"
#include "server/handle/negotiate.h"
#include "server/handle/problem.h"
#include "server/handle/routes.h"
#include "server/store/cache.h"
#include "server/store/digest.h"
#include "server/store/shared.h"
#include "server/work/isolate.h"

enum { WORTH_COMPRESSING = 1024, LARGE_WORK = 32 << 20 };

bool service_reserve(struct service *service, size_t bytes)
{
    size_t most = (size_t)service->settings->limits.max_buffered;
    size_t before = atomic_fetch_add(&service->buffered, bytes);
    if (before <= most && bytes <= most - before) return true;
    atomic_fetch_sub(&service->buffered, bytes);
    return false;
}

void service_release(struct service *service, size_t bytes)
{
    atomic_fetch_sub(&service->buffered, bytes);
}

/* ---- before the body ---- */

static bool refuse_type(const struct route *route, const struct request *request,
                        struct reply *reply)
{
    const char *type = fields_find(&request->headers, "Content-Type");
    /* What has no type is octets (RFC 9110, section 8.3). */
    if (!type) type = "application/octet-stream";
    for (int i = 0; i <= ROUTE_TYPES && route->consumes[i]; i++)
        if (negotiate_is_type(type, route->consumes[i])) return false;
    const char *all = "";
    for (int i = 0; i <= ROUTE_TYPES && route->consumes[i]; i++)
        all = arena_printf(&reply->arena, "%s%s%s", all, i ? ", " : "", route->consumes[i]);
    reply_header(reply, "Accept", "%s", all);
    bool form = negotiate_is_type(type, "application/x-www-form-urlencoded");
    problem_set(reply, request, 415, "media-type", "Content-Type is one of %s here, not '%.100s'%s",
                all, type,
                form ? ", which curl sends without a -H 'Content-Type: …' of yours" : "");
    return true;
}

static bool refuse_coding(const struct request *request, struct reply *reply)
{
    const char *coding = fields_find(&request->headers, "Content-Encoding");
    if (codec_is_known(coding)) return false;
    reply_header(reply, "Accept-Encoding", "%s", codec_all());
    problem_set(reply, request, 415, "content-encoding",
                "a body is plain or one of %s, not '%.40s'", codec_all(), coding);
    return true;
}

static bool refuse_body(const struct service *service, const struct route *route,
                        const struct request *request, struct reply *reply)
{
    const char *length = fields_find(&request->headers, "Content-Length");
    if (strcmp(route->method, "POST") != 0) return false;
    if (!length && !fields_find(&request->headers, "Transfer-Encoding")) {
        problem_set(reply, request, 411, "length-required", "this route needs a body");
        return true;
    }
    const struct limits *limits = &service->settings->limits;
    unsigned long long most = route->streams ? limits->max_batch_bytes : limits->max_body;
    if (length && strtoull(length, NULL, 10) > most) {
        problem_set(reply, request, 413, "too-large", "a body of this route is at most %llu bytes",
                    most);
        return true;
    }
    return refuse_type(route, request, reply) || refuse_coding(request, reply);
}

/* The media type of the answer. Without a preference JSON is answered with JSON. */
static const char *choose_type(const struct route *route, const struct request *request)
{
    const char *accept = fields_find(&request->headers, "Accept");
    const char *type = fields_find(&request->headers, "Content-Type");
    const char *best = negotiate_best(accept, route->produces, ROUTE_TYPES);
    bool json = type && negotiate_is_type(type, "application/json");
    for (int i = 0; best && json && i < ROUTE_TYPES && route->produces[i]; i++)
        if (strcmp(route->produces[i], "application/json") == 0 &&
            negotiate_weight(accept, route->produces[i]) == negotiate_weight(accept, best))
            return route->produces[i];
    return best;
}

bool service_admit(const struct service *service, struct request *request,
                   const struct route **route, struct reply *reply)
{
    char allow[64];
    *route = routes_find(request->method, request->path, allow, sizeof allow);
    if (!*route && *allow) {
        reply_header(reply, "Allow", "%s", allow);
        problem_set(reply, request, 405, "method", "the methods here are %s", allow);
        return false;
    }
    if (!*route) {
        problem_set(reply, request, 404, "no-such-path",
                    "there is nothing here; see /openapi.json");
        return false;
    }
    if ((*route)->produces[0]) {
        request->wants = choose_type(*route, request);
        if (!request->wants) {
            problem_set(reply, request, 406, "not-acceptable", "this route answers %s%s%s",
                        (*route)->produces[0], (*route)->produces[1] ? " or " : "",
                        (*route)->produces[1] ? (*route)->produces[1] : "");
            return false;
        }
    }
    return !refuse_body(service, *route, request, reply);
}

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
    case CODEC_CORRUPT:
        problem_set(reply, request, 400, "corrupt", "the body is not valid %.20s", coding);
    }
    return false;
}

/* ---- caches ---- */

static int by_name(const void *a, const void *b)
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
    buf_printf(&head, "%s %s\n%s\n%s\n%s\n", ptxopt_version(), service->build, route->path,
               wants ? wants : "", json ? "json" : "raw");
    size_t size = request->query.count * sizeof *request->query.at;
    struct field *sorted = mem_alloc(size);
    if (size) memcpy(sorted, request->query.at, size);
    qsort(sorted, request->query.count, sizeof *sorted, by_name);
    for (uint32_t i = 0; i < request->query.count; i++)
        buf_printf(&head, "%zu:%s%zu:%s", strlen(sorted[i].name), sorted[i].name,
                   strlen(sorted[i].value), sorted[i].value);
    mem_free(sorted);
    buf_printf(&head, "\n%zu\n", request->body.len);
    struct str pieces[] = {{head.data, head.len}, {request->body.data, request->body.len}};
    digest_bytes(pieces, 2, digest);
    digest_print(digest, key);
    buf_free(&head);
}

static bool find_here(struct service *service, const char *key, struct reply *reply)
{
    struct buf packed = {0};
    if (!service->cache) return false;
    bool found = cache_get(service->cache, key, &packed) &&
                 message_unpack_reply((struct str){packed.data, packed.len}, reply);
    metrics_add(&service->metrics, found ? METRICS_CACHE_HITS : METRICS_CACHE_MISSES, 1);
    buf_free(&packed);
    return found;
}

/* The names of an answer are those of its key, whoever kept it. */
static void add_names(struct reply *reply, const char *key)
{
    reply_header(reply, "Content-Location", "/v1/results/%s", key);
    reply_header(reply, "ETag", "\"%s\"", key);
}

bool service_recall(struct service *service, const char *key, const struct request *request,
                    struct reply *reply)
{
    bool is_here = find_here(service, key, reply);
    reply->from_cache = is_here || shared_recall(service, key, request, reply);
    if (reply->from_cache && !is_here && service->cache) {
        struct buf packed = {0};
        if (message_pack_reply(reply, &packed))
            cache_put(service->cache, key, (struct str){packed.data, packed.len});
        buf_free(&packed);
    }
    if (reply->from_cache) add_names(reply, key);
    return reply->from_cache;
}

static void keep(struct service *service, const char *key, const struct request *request,
                 const struct reply *reply)
{
    struct buf packed = {0};
    if ((!service->cache && !service->remote) || !message_pack_reply(reply, &packed)) return;
    struct str value = {packed.data, packed.len};
    if (service->cache) cache_put(service->cache, key, value);
    shared_keep(service, key, request, value);
    buf_free(&packed);
}

/* ---- the answer ---- */

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

static void handle(void *context)
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

enum work_end service_handle(struct service *service, const struct route *route,
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
    struct work_outcome outcome = work_run(&limits, handle, &handling);
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

/* What needs the caches is no work for a process of its own. */
void service_run(struct service *service, const struct route *route, const struct request *request,
                 struct reply *reply)
{
    if (service->isolate && route->consumes[0])
        isolate_run(service->isolate, service, request, reply);
    else
        service_handle(service, route, request, reply);
}

static void work(struct service *service, const struct route *route, struct request *request,
                 struct reply *reply)
{
    char key[DIGEST_HEX + 1];
    if (!route->consumes[0]) {
        service_run(service, route, request, reply);
        return;
    }
    name_answer(service, route, request, key);
    if (service_recall(service, key, request, reply)) return;
    service_run(service, route, request, reply);
    if (!reply->keep) return;
    keep(service, key, request, reply);
    add_names(reply, key);
}

/* Is the tag among those of If-None-Match? W/ does not count (RFC 9110, section 13.1.2). */
static bool is_named(const char *list, const char *tag)
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
    if (!tag || !list || reply->status != 200 || !is_named(list, tag)) return;
    if (strcmp(request->method, "POST") == 0)
        problem_set(reply, request, 412, "precondition-failed", "the answer is the one you named");
    else
        reply->status = 304;
}

/* The coded body has a tag of its own: "KEY-gzip". */
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
    if (body.n < WORTH_COMPRESSING || !coding || !codec_encode(coding, body, &small)) return;
    buf_free(&reply->body);
    reply->body = small;
    reply_header(reply, "Content-Encoding", "%s", coding);
    tag_coding(reply, coding);
}

void service_answer(struct service *service, const struct route *route, struct request *request,
                    struct reply *reply)
{
    size_t reserved = 0;
    if (!route->works)
        service_handle(service, route, request, reply);
    else if (decode_body(service, request, reply, &reserved))
        work(service, route, request, reply);
    compress_body(request, reply);
    apply_condition(request, reply);
    service_release(service, reserved);
}
