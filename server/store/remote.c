/* Asks the cache that replicas share. Here: the links, and the pause after a failure, so that a
 * cache that is down costs one timeout and not one a request. */
#include "server/store/remote.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"
#include "server/base/attempt.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/store/remote_kind.h"
#include "server/store/seal.h"

enum { LINKS_KEPT = 64 };

struct remote {
    const struct remote_kind *kind;
    char *url;
    char *secret;
    size_t secret_len;
    const struct limits *limits;
    struct metrics *metrics;
    atomic_uint_fast64_t silent_until_us;
    atomic_bool is_down;
    pthread_mutex_t lock;
    void *links[LINKS_KEPT];
    size_t link_count;
};

/* ---- links ---- */

static const struct remote_kind *remote_kind_of_url(const char *url)
{
#ifdef HAVE_CURL
    if (strncmp(url, "http://", 7) == 0 || strncmp(url, "https://", 8) == 0) return &remote_http;
#endif
#ifdef HAVE_HIREDIS
    if (strncmp(url, "redis://", 8) == 0 && url[8]) return &remote_redis;
#endif
    (void)url;
    return NULL;
}

struct remote *remote_new(const char *url, struct str secret, const struct limits *limits,
                          struct metrics *metrics)
{
    const struct remote_kind *kind = remote_kind_of_url(url);
    if (!kind) return NULL;
    if (kind->init) kind->init();
    void *probe = kind->open(url, limits);
    if (!probe) return NULL;
    kind->close(probe);
    struct remote *remote = mem_zalloc(1, sizeof *remote);
    remote->kind = kind;
    struct buf copy = {0};
    buf_puts(&copy, url);
    remote->url = buf_take(&copy);
    buf_add(&copy, secret.p, secret.n);
    remote->secret = buf_take(&copy);
    remote->secret_len = secret.n;
    remote->limits = limits;
    remote->metrics = metrics;
    pthread_mutex_init(&remote->lock, NULL);
    return remote;
}

void remote_free(struct remote *remote)
{
    if (!remote) return;
    while (remote->link_count) remote->kind->close(remote->links[--remote->link_count]);
    pthread_mutex_destroy(&remote->lock);
    mem_free(remote->url);
    mem_free(remote->secret);
    mem_free(remote);
}

bool remote_is_signed(const struct remote *remote)
{
    return remote->secret_len;
}

static struct str secret_of(const struct remote *remote)
{
    return (struct str){remote->secret, remote->secret_len};
}

static void *take_link(struct remote *remote)
{
    void *link = NULL;
    pthread_mutex_lock(&remote->lock);
    if (remote->link_count) link = remote->links[--remote->link_count];
    pthread_mutex_unlock(&remote->lock);
    return link ? link : remote->kind->open(remote->url, remote->limits);
}

static void remote_return_link(struct remote *remote, void *link, bool is_broken)
{
    pthread_mutex_lock(&remote->lock);
    bool keep = !is_broken && remote->link_count < LINKS_KEPT;
    if (keep) remote->links[remote->link_count++] = link;
    pthread_mutex_unlock(&remote->lock);
    if (!keep) remote->kind->close(link);
}

static bool remote_is_silent(struct remote *remote)
{
    return clock_now_us() < atomic_load(&remote->silent_until_us);
}

static void note_failure(struct remote *remote, const char *why)
{
    metrics_add(remote->metrics, METRICS_REMOTE_ERRORS, 1);
    if (!atomic_exchange(&remote->is_down, true))
        log_event("warning", "shared-cache",
                  "--cache-url fails: %s; tried again every %" PRIu64 " ms", why,
                  remote->limits->cache_retry_ms);
    atomic_store(&remote->silent_until_us, clock_now_us() + remote->limits->cache_retry_ms * 1000);
}

static void note_success(struct remote *remote)
{
    if (atomic_load(&remote->is_down) && atomic_exchange(&remote->is_down, false))
        log_event("info", "shared-cache", "it works again");
}

static enum remote_outcome remote_ask(struct remote *remote, const char *key, struct buf *sealed)
{
    void *link = take_link(remote);
    enum remote_outcome outcome = remote->kind->get(link, key, sealed);
    if (outcome == REMOTE_FAILED)
        note_failure(remote, remote->kind->why(link));
    else
        note_success(remote);
    remote_return_link(remote, link, outcome != REMOTE_FOUND && outcome != REMOTE_ABSENT);
    return outcome;
}

bool remote_get(struct remote *remote, const char *key, struct buf *out)
{
    struct buf sealed = {0};
    struct str value;
    if (remote_is_silent(remote)) return false;
    enum remote_outcome outcome = remote_ask(remote, key, &sealed);
    bool found = outcome == REMOTE_FOUND &&
                 seal_open(secret_of(remote), key, (struct str){sealed.data, sealed.len}, &value);
    if (found)
        found = attempt_add(out, value.p, value.n);
    else if (outcome == REMOTE_FOUND || outcome == REMOTE_WRONG)
        metrics_add(remote->metrics, METRICS_REMOTE_ERRORS, 1);
    buf_free(&sealed);
    return found;
}

void remote_put(struct remote *remote, const char *key, struct str value)
{
    struct buf sealed = {0};
    if (remote_is_silent(remote) || value.n > remote->limits->cache_value_bytes) return;
    if (!seal_add(secret_of(remote), key, value, &sealed)) return;
    void *link = take_link(remote);
    bool done = remote->kind->put(link, key, (struct str){sealed.data, sealed.len});
    if (!done) note_failure(remote, remote->kind->why(link));
    remote_return_link(remote, link, !done);
    buf_free(&sealed);
}
