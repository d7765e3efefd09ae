/* Uses the cache that replicas share. This file has the links, and the pause after a failure, so
 * that a cache that is down costs one timeout and not one for each request. */
#include "server/store/remote.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"
#include "server/base/attempt.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#ifdef HAVE_CURL
#include "server/store/http_client.h"
#endif
#include "server/store/remote_kind.h"
#include "server/store/seal.h"

enum { LINKS_KEPT = 64 };

/* A connection to the cache. */
struct remote_link {
    void *link;
    const struct remote_kind *kind;
    unsigned url_count; /* it is to that URL */
};

struct remote {
    char *secret;
    size_t secret_len;
    const struct settings *settings;
    struct metrics *metrics;
    atomic_uint_fast64_t silent_until_us;
    atomic_bool is_down;
    pthread_mutex_t lock; /* of all below */
    char *url;
    const struct remote_kind *kind; /* by the url */
    unsigned url_count;             /* how many there have been */
    struct remote_link links[LINKS_KEPT];
    size_t link_count;
};

/* ---- links ---- */

static const struct remote_kind *remote_kind_of_url(const char *url)
{
    static const struct {
        const char *scheme;
        const struct remote_kind *kind;
    } kinds[] = {
#ifdef HAVE_CURL
        {"http://", &remote_http},
        {"https://", &remote_http},
        {"s3://", &remote_s3},
        {"s3+http://", &remote_s3},
#endif
#ifdef HAVE_HIREDIS
        {"redis://", &remote_redis},
        {"rediss://", &remote_redis},
#endif
        {NULL, NULL}};
    for (size_t i = 0; kinds[i].scheme; i++)
        if (strncmp(url, kinds[i].scheme, strlen(kinds[i].scheme)) == 0 &&
            url[strlen(kinds[i].scheme)])
            return kinds[i].kind;
    return NULL;
}

static char *copy_text(struct str text)
{
    struct buf copy = {0};
    buf_add(&copy, text.p, text.n);
    return buf_take(&copy);
}

bool remote_set_url(struct remote *remote, const char *url)
{
    const struct remote_kind *kind = remote_kind_of_url(url);
    void *probe = kind ? kind->open(url, remote->settings) : NULL;
    if (!probe) return false;
    kind->close(probe);
    pthread_mutex_lock(&remote->lock);
    mem_free(remote->url);
    remote->url = copy_text(str_from(url));
    remote->kind = kind;
    remote->url_count++;
    pthread_mutex_unlock(&remote->lock);
    atomic_store(&remote->silent_until_us, 0);
    return true;
}

struct remote *remote_new(const char *url, struct str secret, const struct settings *settings,
                          struct metrics *metrics)
{
#ifdef HAVE_CURL
    curl_global_init(CURL_GLOBAL_DEFAULT);
#endif
    struct remote *remote = mem_zalloc(1, sizeof *remote);
    remote->secret = copy_text(secret);
    remote->secret_len = secret.n;
    remote->settings = settings;
    remote->metrics = metrics;
    pthread_mutex_init(&remote->lock, NULL);
    if (remote_set_url(remote, url)) return remote;
    remote_free(remote);
    return NULL;
}

static void close_link(struct remote_link link)
{
    if (link.link) link.kind->close(link.link);
}

void remote_free(struct remote *remote)
{
    if (!remote) return;
    while (remote->link_count) close_link(remote->links[--remote->link_count]);
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

/* One that is open, or another; its link is NULL when there is no memory for one. */
static struct remote_link take_link(struct remote *remote)
{
    struct remote_link taken = {0};
    pthread_mutex_lock(&remote->lock);
    while (remote->link_count && !taken.link) {
        taken = remote->links[--remote->link_count];
        if (taken.url_count == remote->url_count) break;
        close_link(taken);
        taken.link = NULL;
    }
    if (!taken.link)
        taken = (struct remote_link){remote->kind->open(remote->url, remote->settings),
                                     remote->kind, remote->url_count};
    pthread_mutex_unlock(&remote->lock);
    return taken;
}

static void remote_return_link(struct remote *remote, struct remote_link link, bool is_broken)
{
    pthread_mutex_lock(&remote->lock);
    bool keep = !is_broken && remote->link_count < LINKS_KEPT;
    if (keep) remote->links[remote->link_count++] = link;
    pthread_mutex_unlock(&remote->lock);
    if (!keep) close_link(link);
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
                  remote->settings->limits.cache_retry_ms);
    atomic_store(&remote->silent_until_us,
                 clock_now_us() + remote->settings->limits.cache_retry_ms * 1000);
}

static void note_success(struct remote *remote)
{
    if (atomic_load(&remote->is_down) && atomic_exchange(&remote->is_down, false))
        log_event("info", "shared-cache", "it works again");
}

static enum remote_outcome remote_ask(struct remote *remote, const char *key, struct buf *sealed)
{
    struct remote_link link = take_link(remote);
    if (!link.link) return REMOTE_ABSENT;
    enum remote_outcome outcome = link.kind->get(link.link, key, sealed);
    if (outcome == REMOTE_FAILED)
        note_failure(remote, link.kind->why(link.link));
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
    if (remote_is_silent(remote) || value.n > remote->settings->limits.cache_value_bytes) return;
    if (!seal_add(secret_of(remote), key, value, &sealed)) return;
    struct remote_link link = take_link(remote);
    bool done = link.link && link.kind->put(link.link, key, (struct str){sealed.data, sealed.len});
    if (link.link && !done) note_failure(remote, link.kind->why(link.link));
    remote_return_link(remote, link, !done);
    buf_free(&sealed);
}
