/* May this answer be repeated, though somebody else gave it? With --cache-key-file it bears a
 * signature. Without one whoever writes to the cache may have made it: what they can do at most is
 * to serve a text that the checker proves from the one that was sent. */
#include "server/store/shared.h"

#include <string.h>
#include <strings.h>

#include "server/base/attempt.h"
#include "server/handle/input.h"
#include "server/handle/json_out.h"
#include "server/store/remote.h"

/* What an answer says about itself; digits or a word. */
static const char *const figures[] = {"Ptxopt-Changed",     "Ptxopt-Deleted",    "Ptxopt-Kept",
                                      "Ptxopt-Skipped",     "Ptxopt-Candidates", "Ptxopt-Functions",
                                      "Ptxopt-Instructions"};
/* And what it says to browsers and proxies: only of a signed one. */
static const char *const others[] = {"Content-Type", "Content-Security-Policy"};

static void repeat(struct reply *to, const struct reply *from, const char *const *names,
                   size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *value = fields_find(&from->headers, names[i]);
        if (value) reply_header(to, names[i], "%s", value);
    }
}

static bool is_figure(const char *value)
{
    enum { LONGEST = 10 };
    size_t len = strlen(value);
    return strcmp(value, "true") == 0 || strcmp(value, "false") == 0 ||
           (len && len <= LONGEST && strspn(value, "0123456789") == len);
}

static bool has_figures(const struct reply *stored)
{
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        const char *value = fields_find(&stored->headers, figures[i]);
        if (!value || !is_figure(value)) return false;
    }
    return true;
}

/* ---- PTX, proven again ---- */

static bool is_ptx(const struct request *request)
{
    return request && strcmp(request->path, "/v1/optimize") == 0 &&
           strcmp(request->wants, "application/json") != 0;
}

struct proof {
    const struct settings *settings;
    const struct request *request;
    struct str after;
    struct buf question; /* a body of /v1/verify; empty when there is none, as of texts not UTF-8 */
    const struct reply *verdict;
    bool is_proven;
};

static json_t *options_of(const struct input *input)
{
    static const char *const asked[] = {"assume", "no_assume", "isa"};
    json_t *options = json_need(json_object());
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const char *value = fields_find(&input->chosen, asked[i]);
        if (value) json_put(options, asked[i], json_need(json_string(value)));
    }
    return options;
}

static void write_question(void *context)
{
    struct proof *proof = context;
    struct input input = {0};
    struct reply scratch = {0};
    json_t *json = NULL;
    if (input_read(proof->settings, proof->request, &input, &scratch))
        json = json_pack("{s:s%,s:s%,s:o}", "before", input.source.p, input.source.n, "after",
                         proof->after.n ? proof->after.p : "", proof->after.n, "options",
                         options_of(&input));
    if (json) json_add(&proof->question, json, false);
    input_free(&input);
    reply_free(&scratch);
}

static void read_verdict(void *context)
{
    struct proof *proof = context;
    struct str body = reply_bytes(proof->verdict);
    json_t *json = proof->verdict->status == 200 ? json_loadb(body.p, body.n, 0, NULL) : NULL;
    const char *verdict = json_string_value(json_object_get(json, "verdict"));
    proof->is_proven = verdict && strcmp(verdict, "proven") == 0;
    json_decref(json);
}

/* As a request of /v1/verify, so that under --isolate it runs in a process of its own, too. */
static bool is_proven(struct service *service, const struct request *request, struct str after)
{
    struct reply verdict = {0};
    struct request ask = {.method = "POST",
                          .path = "/v1/verify",
                          .client = request->client,
                          .wants = "application/json",
                          .abandoned = request->abandoned};
    struct proof proof = {
        .settings = service->settings, .request = request, .after = after, .verdict = &verdict};
    char allow[64];
    if (!attempt(write_question, &proof) || !proof.question.len) return false;
    memcpy(ask.id, request->id, sizeof ask.id);
    request_add(&ask, &ask.headers, "Content-Type", "application/json");
    ask.body = proof.question;
    service_run(service, routes_find(ask.method, ask.path, allow, sizeof allow), &ask, &verdict);
    bool proven = attempt(read_verdict, &proof) && proof.is_proven;
    request_free(&ask);
    reply_free(&verdict);
    return proven;
}

/* ---- the cache ---- */

/* Makes reply what may be repeated of stored; false when nothing may be. */
static bool accept(struct service *service, const struct request *request, struct reply *stored,
                   struct reply *reply)
{
    struct str body = reply_bytes(stored);
    bool is_signed = remote_is_signed(service->remote);
    if (stored->status != 200 || (!is_signed && !(is_ptx(request) && has_figures(stored) &&
                                                  is_proven(service, request, body))))
        return false;
    reply->status = stored->status;
    if (is_signed)
        repeat(reply, stored, others, sizeof others / sizeof *others);
    else
        reply_header(reply, "Content-Type", "%s; charset=utf-8", request->wants);
    repeat(reply, stored, figures, sizeof figures / sizeof *figures);
    reply->body = stored->body;
    stored->body = (struct buf){0};
    return true;
}

bool shared_recall(struct service *service, const char *key, const struct request *request,
                   struct reply *reply)
{
    struct buf packed = {0};
    struct reply stored = {0};
    if (!service->remote || !(remote_is_signed(service->remote) || is_ptx(request))) return false;
    bool found = false;
    if (remote_get(service->remote, key, &packed)) {
        found = message_unpack_reply((struct str){packed.data, packed.len}, &stored) &&
                accept(service, request, &stored, reply);
        if (!found) metrics_add(&service->metrics, METRICS_REMOTE_ERRORS, 1);
    }
    metrics_add(&service->metrics, found ? METRICS_REMOTE_HITS : METRICS_REMOTE_MISSES, 1);
    reply_free(&stored);
    buf_free(&packed);
    return found;
}

void shared_keep(struct service *service, const char *key, const struct request *request,
                 struct str packed)
{
    if (service->remote && (remote_is_signed(service->remote) || is_ptx(request)))
        remote_put(service->remote, key, packed);
}
