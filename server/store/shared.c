/* Decides which answers of the shared cache may be sent again. With --cache-key-file an answer
 * has a signature. Without it, anyone who can write to the cache may have made the answer. At
 * most they can make the service send a text that the checker proves from the text of the
 * request. */
#include "server/store/shared.h"

#include <string.h>

#include "server/store/remote.h"

/* What an answer says about itself; digits or a word. */
static const char *const figures[] = {"Ptxopt-Changed",   "Ptxopt-Deleted",     "Ptxopt-Kept",
                                      "Ptxopt-Skipped",   "Ptxopt-Warnings",    "Ptxopt-Candidates",
                                      "Ptxopt-Functions", "Ptxopt-Instructions"};
/* And its headers for browsers and proxies: only of a signed one. */
static const char *const others[] = {"Content-Type", "Content-Security-Policy"};

static void copy_reply_headers(struct reply *to, const struct reply *from, const char *const *names,
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

static bool is_ptx(const struct request *request)
{
    return request && strcmp(request->path, "/v1/optimize") == 0 &&
           strcmp(request->wants, "application/json") != 0;
}

/* Makes reply what may be repeated of stored; false when nothing may be. */
static bool accept_stored_reply(struct service *service, const struct request *request,
                                shared_prove *prove, struct reply *stored, struct reply *reply)
{
    struct str body = reply_bytes(stored);
    bool is_signed = remote_is_signed(service->remote);
    if (stored->status != 200 ||
        (!is_signed && !(is_ptx(request) && has_figures(stored) && prove(service, request, body))))
        return false;
    reply->status = stored->status;
    if (is_signed)
        copy_reply_headers(reply, stored, others, sizeof others / sizeof *others);
    else
        reply_header(reply, "Content-Type", "%s; charset=utf-8", request->wants);
    copy_reply_headers(reply, stored, figures, sizeof figures / sizeof *figures);
    reply->body = stored->body;
    stored->body = (struct buf){0};
    return true;
}

bool shared_recall(struct service *service, const char *key, const struct request *request,
                   shared_prove *prove, struct reply *reply)
{
    struct buf packed = {0};
    struct reply stored = {0};
    if (!service->remote || !(remote_is_signed(service->remote) || is_ptx(request))) return false;
    bool found = false;
    if (remote_get(service->remote, key, &packed)) {
        found = message_unpack_reply((struct str){packed.data, packed.len}, &stored) &&
                accept_stored_reply(service, request, prove, &stored, reply);
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
