/* Finds answers that were given before. The cache of the process is asked first, then the one that
 * replicas share; what comes from there is kept here, too. */
#include "server/store/answers.h"

#include "server/store/cache.h"

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
static void add_answer_names(struct reply *reply, const char *key)
{
    reply_header(reply, "Content-Location", "/v1/results/%s", key);
    reply_header(reply, "ETag", "\"%s\"", key);
}

bool answers_recall(struct service *service, const char *key, const struct request *request,
                    shared_prove *prove, struct reply *reply)
{
    bool is_here = find_here(service, key, reply);
    reply->from_cache = is_here || shared_recall(service, key, request, prove, reply);
    if (reply->from_cache && !is_here && service->cache) {
        struct buf packed = {0};
        if (message_pack_reply(reply, &packed))
            cache_put(service->cache, key, (struct str){packed.data, packed.len});
        buf_free(&packed);
    }
    if (reply->from_cache) add_answer_names(reply, key);
    return reply->from_cache;
}

static void store_answer(struct service *service, const char *key, const struct request *request,
                         const struct reply *reply)
{
    struct buf packed = {0};
    if ((!service->cache && !service->remote) || !message_pack_reply(reply, &packed)) return;
    struct str value = {packed.data, packed.len};
    if (service->cache) cache_put(service->cache, key, value);
    shared_keep(service, key, request, value);
    buf_free(&packed);
}

void answers_keep(struct service *service, const char *key, const struct request *request,
                  struct reply *reply)
{
    store_answer(service, key, request, reply);
    add_answer_names(reply, key);
}
