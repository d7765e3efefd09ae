/* Runs the threads that move the bytes of connections. See loop.h: threads that wait with epoll.
 * The first accepts, and gives each connection to the thread that has the fewest. */
#include "server/net/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/base/clock.h"
#include "server/net/flow.h"

enum {
    EVENTS = 128,
    ACCEPTS = 64,        /* before others have their turn */
    LAST_ACCEPTS = 4096, /* more than the system's queue has */
    FINISH_MS = 50,      /* between checks for idle ones */
    PAUSE_MS = 50,
    SPARE_FILES = 256
};

struct loop {
    struct loops *of;
    pthread_t thread;
    bool is_started, is_finishing;
    atomic_bool is_asked;      /* by loops_live, and has not turned since */
    struct source wake, ready; /* ready: the engine's */
    struct engine engine;
    struct links links;
    pthread_mutex_t lock;
    struct link *arrived; /* under the lock */
};

/* A socket that is listened on. */
struct listener {
    struct source source; /* first: a source is cast to its listener */
    int fd;
};

struct loops {
    struct service *service;
    struct listens *listens;
    struct listener listeners[LISTEN_MOST];
    unsigned listener_count;
    int_fast64_t most; /* connections */
    struct addresses *addresses;
    atomic_uint busy;
    atomic_bool finishing, stopping;
    atomic_uint still_accepting; /* threads that have not begun to finish */
    /* Of the first thread: it does not accept while this runs. */
    struct timeouts pauses;
    struct timeout pause;
    size_t loop_count;
    struct loop loops[];
};

/* ---- accepting ---- */

static void watch_listeners(struct loops *loops, unsigned events)
{
    for (unsigned i = 0; i < loops->listener_count; i++) {
        struct listener *listener = &loops->listeners[i];
        struct epoll_event event = {.events = events, .data.ptr = listener};
        epoll_ctl(loops->loops[0].links.epoll, EPOLL_CTL_MOD, listener->fd, &event);
    }
}

/* The system has no file left, or --max-connections are open: others wait in the system's queue. */
static void pause_accepting(struct loops *loops)
{
    watch_listeners(loops, 0);
    timeout_start(&loops->pauses, &loops->pause, loops->loops[0].links.now_us);
}

static void resume_accepting(struct loops *loops)
{
    if (!timeouts_due(&loops->pauses, loops->loops[0].links.now_us)) return;
    timeout_stop(&loops->pause);
    watch_listeners(loops, EPOLLIN);
}

static void assign_link(struct loops *loops, struct link *link)
{
    struct loop *to = &loops->loops[0];
    for (size_t i = 1; i < loops->loop_count; i++)
        if (atomic_load(&loops->loops[i].links.count) < atomic_load(&to->links.count))
            to = &loops->loops[i];
    atomic_fetch_add(&to->links.count, 1);
    pthread_mutex_lock(&to->lock);
    link->next = to->arrived;
    to->arrived = link;
    pthread_mutex_unlock(&to->lock);
    channels_wake(&to->links.channels);
}

/* Takes over fd; false: out of memory. */
static bool take_connection(struct loops *loops, int fd, const union link_address *address)
{
    int on = 1;
    bool counts = !networks_have(&loops->service->trusted_proxies, &address->any);
    if (counts && !addresses_enter(loops->addresses, &address->any)) {
        close(fd);
        return true;
    }
    struct link *link = link_new(fd, address);
    if (!link) {
        if (counts) addresses_leave(loops->addresses, &address->any);
        close(fd);
        return false;
    }
    link->is_counted = counts;
    if (address->any.sa_family != AF_UNIX) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    atomic_fetch_add(&loops->service->metrics.connections, 1);
    assign_link(loops, link);
    return true;
}

static bool is_full(struct loops *loops)
{
    return atomic_load(&loops->service->metrics.connections) >= loops->most;
}

static void accept_connections(struct loops *loops, const struct listener *listener)
{
    unsigned most = atomic_load(&loops->finishing) ? LAST_ACCEPTS : ACCEPTS;
    for (unsigned i = 0; i < most; i++) {
        union link_address address = {.any.sa_family = AF_UNIX};
        socklen_t len = sizeof address;
        if (is_full(loops)) {
            pause_accepting(loops);
            return;
        }
        int fd = accept4(listener->fd, &address.any, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && (errno == ECONNABORTED || errno == EINTR)) continue;
        if (fd < 0 && errno == EAGAIN) return;
        if (fd < 0 || !take_connection(loops, fd, &address)) {
            pause_accepting(loops);
            return;
        }
    }
}

/* Somebody called channels_wake. */
static void add_arrived(struct loop *loop)
{
    uint64_t count;
    ssize_t got = read(loop->links.channels.wake_fd, &count, sizeof count);
    (void)got;
    loop->links.is_fed = true;
    pthread_mutex_lock(&loop->lock);
    struct link *link = loop->arrived;
    loop->arrived = NULL;
    pthread_mutex_unlock(&loop->lock);
    while (link) {
        struct link *next = link->next;
        link_add(&loop->links, link);
        link = next;
    }
}

/* ---- a thread ---- */

static void handle_event(struct loop *loop, const struct epoll_event *event)
{
    struct source *source = event->data.ptr;
    switch (source->kind) {
    case SOURCE_LISTEN:
        accept_connections(loop->of, (const struct listener *)(const void *)source);
        break;
    case SOURCE_WAKE: add_arrived(loop); break;
    case SOURCE_ENGINE: loop->links.is_fed = true; break;
    case SOURCE_LINK: link_event((struct link *)(void *)source, event->events); break;
    case SOURCE_CHANNEL: link_channel_event((struct channel *)(void *)source, event->events); break;
    }
}

/* For epoll_wait: ms until there is something to do without an event. */
static int time_to_wait(const struct loop *loop)
{
    uint64_t next = links_next(&loop->links), now = clock_now_us();
    if (loop == loop->of->loops && timeouts_next(&loop->of->pauses) < next)
        next = timeouts_next(&loop->of->pauses);
    if (loop->is_finishing && next > now + FINISH_MS * 1000) next = now + FINISH_MS * 1000;
    if (next == UINT64_MAX) return -1;
    uint64_t ms = next > now ? (next - now + 999) / 1000 : 0;
    return ms < INT32_MAX ? (int)ms : INT32_MAX;
}

/* What the system has accepted is taken before the sockets close: else it would be reset. */
static void close_listeners(struct loops *loops)
{
    for (unsigned i = 0; i < loops->listener_count; i++)
        if (!loops->listens->at[i].is_passed) accept_connections(loops, &loops->listeners[i]);
    loops->listener_count = 0;
    timeout_stop(&loops->pause);
    listen_close(loops->listens);
}

static void begin_to_finish(struct loop *loop)
{
    struct loops *loops = loop->of;
    loop->is_finishing = true;
    if (loop == loops->loops) close_listeners(loops);
    atomic_fetch_sub(&loops->still_accepting, 1);
    links_read_all(&loop->links);
}

static void *move_links(void *argument)
{
    struct loop *loop = argument;
    struct links *links = &loop->links;
    struct epoll_event events[EVENTS];
    while (!atomic_load(&loop->of->stopping)) {
        int count = epoll_wait(links->epoll, events, EVENTS, time_to_wait(loop));
        links->now_us = clock_now_us();
        atomic_store(&loop->is_asked, false);
        for (int i = 0; i < count; i++) handle_event(loop, &events[i]);
        if (atomic_load(&loop->of->finishing) && !loop->is_finishing) begin_to_finish(loop);
        flow_move(links);
        if (loop->is_finishing) links_close_idle(links);
        if (links->is_fed) {
            links->is_fed = loop->engine.move(loop->engine.context);
            flow_move(links);
        }
        links_tidy(links);
        if (loop == loop->of->loops && !loop->is_finishing) resume_accepting(loop->of);
    }
    add_arrived(loop);
    links_close(links);
    return NULL;
}

/* ---- all of them ---- */

static bool watch_fd(int epoll, int fd, struct source *source)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool start_loop(struct loops *loops, struct loop *loop, struct tls *tls,
                       const struct engine *engine)
{
    struct links *links = &loop->links;
    loop->of = loops;
    loop->engine = *engine;
    loop->wake.kind = SOURCE_WAKE;
    loop->ready.kind = SOURCE_ENGINE;
    pthread_mutex_init(&loop->lock, NULL);
    links->epoll = epoll_create1(EPOLL_CLOEXEC);
    links->channels = (struct channels){.epoll = links->epoll,
                                        .wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
                                        .join = engine->join,
                                        .abandon = engine->abandon,
                                        .finish = engine->finish,
                                        .engine = engine->context,
                                        .busy = &loops->busy};
    links_init(links, &loops->service->settings->limits);
    links->tls = tls;
    links->addresses = loops->addresses;
    links->trusted_proxies = &loops->service->trusted_proxies;
    links->metrics = &loops->service->metrics;
    links->now_us = clock_now_us();
    if (links->channels.wake_fd < 0 || links->epoll < 0) return false;
    if (!watch_fd(links->epoll, links->channels.wake_fd, &loop->wake) ||
        !watch_fd(links->epoll, engine->fd, &loop->ready))
        return false;
    loop->is_started = pthread_create(&loop->thread, NULL, move_links, loop) == 0;
    return loop->is_started;
}

/* --max-connections, but some files are reserved for the channels of their requests. */
static int_fast64_t most_connections(const struct limits *limits)
{
    struct rlimit files;
    uint64_t most = limits->max_connections;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= most + SPARE_FILES)
        return (int_fast64_t)most;
    return files.rlim_cur > 2 * SPARE_FILES ? (int_fast64_t)(files.rlim_cur - SPARE_FILES)
                                            : (int_fast64_t)(files.rlim_cur / 4);
}

/* Before there are threads. */
static void prepare_listeners(struct loops *loops)
{
    for (unsigned i = 0; i < loops->listens->count; i++) {
        int fd = loops->listens->at[i].fd;
        loops->listeners[i] = (struct listener){.source.kind = SOURCE_LISTEN, .fd = fd};
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
    loops->listener_count = loops->listens->count;
}

static bool begin_to_accept(struct loops *loops)
{
    bool fine = true;
    for (unsigned i = 0; fine && i < loops->listener_count; i++)
        fine = watch_fd(loops->loops[0].links.epoll, loops->listeners[i].fd,
                        &loops->listeners[i].source);
    return fine;
}

struct loops *loops_new(struct service *service, struct tls *tls, struct listens *listens,
                        const struct engine *engines, size_t count)
{
    const struct limits *limits = &service->settings->limits;
    struct loops *loops = mem_zalloc(1, sizeof *loops + count * sizeof *loops->loops);
    bool fine = true;
    loops->service = service;
    loops->listens = listens;
    loops->still_accepting = (unsigned)count;
    loops->most = most_connections(limits);
    loops->addresses = addresses_new((size_t)limits->max_connections_per_address);
    timeouts_init(&loops->pauses, PAUSE_MS);
    prepare_listeners(loops);
    for (; fine && loops->loop_count < count; loops->loop_count++)
        fine =
            start_loop(loops, &loops->loops[loops->loop_count], tls, &engines[loops->loop_count]);
    if (fine && begin_to_accept(loops)) return loops;
    loops_stop(loops);
    loops_free(loops);
    return NULL;
}

unsigned loops_busy(struct loops *loops)
{
    return atomic_load(&loops->busy);
}

bool loops_live(struct loops *loops)
{
    bool live = true;
    for (size_t i = 0; i < loops->loop_count; i++) {
        struct loop *loop = &loops->loops[i];
        live &= !atomic_exchange(&loop->is_asked, true);
        channels_wake(&loop->links.channels);
    }
    return live;
}

void loops_finish(struct loops *loops)
{
    atomic_store(&loops->finishing, true);
    for (size_t i = 0; i < loops->loop_count; i++) channels_wake(&loops->loops[i].links.channels);
}

unsigned loops_left(struct loops *loops)
{
    unsigned left = atomic_load(&loops->still_accepting);
    for (size_t i = 0; i < loops->loop_count; i++)
        left += atomic_load(&loops->loops[i].links.count);
    return left;
}

void loops_stop(struct loops *loops)
{
    atomic_store(&loops->stopping, true);
    for (size_t i = 0; i < loops->loop_count; i++) {
        if (!loops->loops[i].is_started) continue;
        channels_wake(&loops->loops[i].links.channels);
        pthread_join(loops->loops[i].thread, NULL);
    }
}

void loops_free(struct loops *loops)
{
    for (size_t i = 0; i < loops->loop_count; i++) {
        struct loop *loop = &loops->loops[i];
        if (loop->links.channels.wake_fd >= 0) close(loop->links.channels.wake_fd);
        if (loop->links.epoll >= 0) close(loop->links.epoll);
        pthread_mutex_destroy(&loop->lock);
    }
    addresses_free(loops->addresses);
    mem_free(loops);
}
