/* Finds answers that were given before. The cache of the process comes first, then that on disk,
 * then the one that replicas share; an answer from a later one is copied to the earlier ones. */
#include "server/store/answers.h"

#include "server/store/cache.h"
#include "server/store/disk.h"

static bool find_in_memory(struct service *service, const char *key, struct reply *reply)
{
    if (!service->cache) return false;
    struct cached *cached = cache_get(service->cache, key);
    bool found = cached && message_borrow_reply(cached_value(cached), reply);
    if (found) {
        reply->owner = cached;
        reply->release = cached_release;
    } else if (cached) {
        cached_release(cached);
    }
    metrics_add(&service->metrics, found ? METRICS_CACHE_HITS : METRICS_CACHE_MISSES, 1);
    return found;
}

static bool find_on_disk(struct service *service, const char *key, struct reply *reply)
{
    struct buf packed = {0};
    if (!service->disk) return false;
    bool found = disk_get(service->disk, key, &packed) &&
                 message_unpack_reply((struct str){packed.data, packed.len}, reply);
    metrics_add(&service->metrics, found ? METRICS_DISK_HITS : METRICS_DISK_MISSES, 1);
    if (found && service->cache)
        cache_put(service->cache, key, (struct str){packed.data, packed.len});
    buf_free(&packed);
    return found;
}

static void keep_here(struct service *service, const char *key, struct str packed)
{
    if (service->cache) cache_put(service->cache, key, packed);
    if (service->disk) disk_put(service->disk, key, packed);
}

static bool find_shared(struct service *service, const char *key, const struct request *request,
                        shared_prove *prove, struct reply *reply)
{
    struct buf packed = {0};
    if (!shared_recall(service, key, request, prove, reply)) return false;
    if ((service->cache || service->disk) && message_pack_reply(reply, &packed))
        keep_here(service, key, (struct str){packed.data, packed.len});
    buf_free(&packed);
    return true;
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
    reply->from_cache = find_in_memory(service, key, reply) || find_on_disk(service, key, reply) ||
                        find_shared(service, key, request, prove, reply);
    if (reply->from_cache) add_answer_names(reply, key);
    return reply->from_cache;
}

static void store_answer(struct service *service, const char *key, const struct request *request,
                         const struct reply *reply)
{
    struct buf packed = {0};
    bool is_kept = service->cache || service->disk || service->remote;
    if (!is_kept || !message_pack_reply(reply, &packed)) return;
    struct str value = {packed.data, packed.len};
    keep_here(service, key, value);
    shared_keep(service, key, request, value);
    buf_free(&packed);
}

void answers_keep(struct service *service, const char *key, const struct request *request,
                  struct reply *reply)
{
    store_answer(service, key, request, reply);
    add_answer_names(reply, key);
}
