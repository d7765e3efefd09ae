/* Which connections take too long? A thread looks at all of them a few times a second. */
#include "server/work/watch.h"

#include <poll.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#include "base/mem.h"

enum { STEP_MS = 25, STEPS_A_ROUND = 10, POLLED = 64 };

struct watched {
    struct watched *next, *prev;
    int fd;
    enum watch_phase phase;
    bool hung_up;         /* so it was seen in the last round, and nothing happened since */
    uint64_t deadline_us; /* 0: none */
    void (*late)(void *argument);
    void *argument;
};

struct watch {
    pthread_mutex_t lock;
    pthread_cond_t stopped;
    pthread_t thread;
    bool stopping;
    struct watched list; /* a ring */
    struct metrics *metrics;
};

uint64_t watch_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void watch_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool watch_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_us)
{
    struct timespec until = {(time_t)(deadline_us / 1000000), (long)(deadline_us % 1000000 * 1000)};
    return pthread_cond_timedwait(condition, lock, &until) == 0;
}

static uint64_t deadline_in(uint64_t timeout_ms)
{
    return timeout_ms ? watch_now_us() + timeout_ms * 1000 : 0;
}

static void expire(struct watch *watch, struct watched *watched)
{
    watched->deadline_us = 0;
    if (watched->late) {
        watched->late(watched->argument);
        return;
    }
    metrics_add(watch->metrics, METRICS_SLOW_CONNECTIONS, 1);
    shutdown(watched->fd, SHUT_RDWR);
}

/* Has the client gone, with nothing unread? */
static bool is_gone(const struct pollfd *polled)
{
    int unread = 0;
    return (polled->revents & (POLLRDHUP | POLLHUP)) && ioctl(polled->fd, FIONREAD, &unread) == 0 &&
           !unread;
}

static void shut_gone(struct watched **some, struct pollfd *polled, size_t count)
{
    poll(polled, count, 0);
    for (size_t i = 0; i < count; i++) {
        bool gone = is_gone(&polled[i]);
        if (gone && some[i]->hung_up) shutdown(polled[i].fd, SHUT_RDWR);
        some[i]->hung_up = gone;
    }
}

/* libmicrohttpd 0.9.75 does not see the end of a connection that came together with its last bytes:
 * it would wait for the rest of the request. Twice in a row, so that it is no request which
 * libmicrohttpd has read and is about to begin. */
static void find_gone(struct watch *watch)
{
    struct watched *some[POLLED];
    struct pollfd polled[POLLED];
    size_t count = 0;
    for (struct watched *one = watch->list.next; one != &watch->list; one = one->next) {
        if (one->phase != WATCH_RECEIVES) continue;
        some[count] = one;
        polled[count++] = (struct pollfd){.fd = one->fd, .events = POLLRDHUP};
        if (count < POLLED) continue;
        shut_gone(some, polled, count);
        count = 0;
    }
    shut_gone(some, polled, count);
}

static void *look(void *argument)
{
    struct watch *watch = argument;
    pthread_mutex_lock(&watch->lock);
    for (unsigned step = 0; !watch->stopping; step++) {
        uint64_t now = watch_now_us();
        for (struct watched *one = watch->list.next; one != &watch->list; one = one->next)
            if (one->deadline_us && one->deadline_us <= now) expire(watch, one);
        if (step % STEPS_A_ROUND == 0) find_gone(watch);
        watch_wait(&watch->stopped, &watch->lock, now + STEP_MS * 1000);
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

struct watch *watch_new(struct metrics *metrics)
{
    struct watch *watch = mem_zalloc(1, sizeof *watch);
    pthread_mutex_init(&watch->lock, NULL);
    watch_condition(&watch->stopped);
    watch->list.next = watch->list.prev = &watch->list;
    watch->metrics = metrics;
    if (pthread_create(&watch->thread, NULL, look, watch) == 0) return watch;
    mem_free(watch);
    return NULL;
}

void watch_free(struct watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    watch->stopping = true;
    pthread_cond_signal(&watch->stopped);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->stopped);
    pthread_mutex_destroy(&watch->lock);
    mem_free(watch);
}

struct watched *watch_add(struct watch *watch, int fd, enum watch_phase phase, uint64_t timeout_ms)
{
    struct watched *watched = mem_zalloc(1, sizeof *watched);
    watched->fd = fd;
    watched->phase = phase;
    watched->deadline_us = deadline_in(timeout_ms);
    pthread_mutex_lock(&watch->lock);
    watched->next = watch->list.next;
    watched->prev = &watch->list;
    watched->next->prev = watched->prev->next = watched;
    pthread_mutex_unlock(&watch->lock);
    return watched;
}

void watch_remove(struct watch *watch, struct watched *watched)
{
    pthread_mutex_lock(&watch->lock);
    watched->next->prev = watched->prev;
    watched->prev->next = watched->next;
    pthread_mutex_unlock(&watch->lock);
    mem_free(watched);
}

static void set(struct watch *watch, struct watched *watched, enum watch_phase phase,
                uint64_t timeout_ms, void (*late)(void *argument), void *argument)
{
    pthread_mutex_lock(&watch->lock);
    watched->phase = phase;
    watched->hung_up = false;
    watched->deadline_us = deadline_in(timeout_ms);
    watched->late = late;
    watched->argument = argument;
    pthread_mutex_unlock(&watch->lock);
}

void watch_set(struct watch *watch, struct watched *watched, enum watch_phase phase,
               uint64_t timeout_ms)
{
    set(watch, watched, phase, timeout_ms, NULL, NULL);
}

void watch_work(struct watch *watch, struct watched *watched, uint64_t timeout_ms,
                void (*late)(void *argument), void *argument)
{
    set(watch, watched, WATCH_WAITS, timeout_ms, late, argument);
}
