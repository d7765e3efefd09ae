/* Which connections, and which work, take too long? A thread looks at all of them a few times a
 * second. */
#include "server/work/deadlines.h"

#include <poll.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "server/base/clock.h"

enum { STEP_MS = 25, STEPS_A_ROUND = 10, POLLED = 64 };

struct deadline {
    struct deadline *next, *prev;
    int fd;
    enum deadline_phase phase;
    bool hung_up;   /* so it was seen in the last round, and nothing happened since */
    uint64_t at_us; /* 0: none */
    void (*late)(void *argument);
    void *argument;
};

struct deadlines {
    pthread_mutex_t lock;
    pthread_cond_t stopped;
    pthread_t thread;
    bool stopping;
    struct deadline list; /* a ring */
    struct metrics *metrics;
};

static uint64_t time_in(uint64_t timeout_ms)
{
    return timeout_ms ? clock_now_us() + timeout_ms * 1000 : 0;
}

static void expire(struct deadlines *deadlines, struct deadline *deadline)
{
    deadline->at_us = 0;
    if (deadline->late) {
        deadline->late(deadline->argument);
        return;
    }
    metrics_add(deadlines->metrics, METRICS_SLOW_CONNECTIONS, 1);
    shutdown(deadline->fd, SHUT_RDWR);
}

/* Has the client gone, with nothing unread? */
static bool is_gone(const struct pollfd *polled)
{
    int unread = 0;
    return (polled->revents & (POLLRDHUP | POLLHUP)) && ioctl(polled->fd, FIONREAD, &unread) == 0 &&
           !unread;
}

static void shut_gone(struct deadline **some, struct pollfd *polled, size_t count)
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
static void find_gone(struct deadlines *deadlines)
{
    struct deadline *some[POLLED];
    struct pollfd polled[POLLED];
    size_t count = 0;
    for (struct deadline *one = deadlines->list.next; one != &deadlines->list; one = one->next) {
        if (one->phase != DEADLINE_RECEIVES) continue;
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
    struct deadlines *deadlines = argument;
    pthread_mutex_lock(&deadlines->lock);
    for (unsigned step = 0; !deadlines->stopping; step++) {
        uint64_t now = clock_now_us();
        for (struct deadline *one = deadlines->list.next; one != &deadlines->list; one = one->next)
            if (one->at_us && one->at_us <= now) expire(deadlines, one);
        if (step % STEPS_A_ROUND == 0) find_gone(deadlines);
        clock_wait(&deadlines->stopped, &deadlines->lock, now + STEP_MS * 1000);
    }
    pthread_mutex_unlock(&deadlines->lock);
    return NULL;
}

struct deadlines *deadlines_new(struct metrics *metrics)
{
    struct deadlines *deadlines = mem_zalloc(1, sizeof *deadlines);
    pthread_mutex_init(&deadlines->lock, NULL);
    clock_condition(&deadlines->stopped);
    deadlines->list.next = deadlines->list.prev = &deadlines->list;
    deadlines->metrics = metrics;
    if (pthread_create(&deadlines->thread, NULL, look, deadlines) == 0) return deadlines;
    mem_free(deadlines);
    return NULL;
}

void deadlines_free(struct deadlines *deadlines)
{
    pthread_mutex_lock(&deadlines->lock);
    deadlines->stopping = true;
    pthread_cond_signal(&deadlines->stopped);
    pthread_mutex_unlock(&deadlines->lock);
    pthread_join(deadlines->thread, NULL);
    pthread_cond_destroy(&deadlines->stopped);
    pthread_mutex_destroy(&deadlines->lock);
    mem_free(deadlines);
}

struct deadline *deadline_add(struct deadlines *deadlines, int fd, enum deadline_phase phase,
                              uint64_t timeout_ms)
{
    struct deadline *deadline = mem_zalloc(1, sizeof *deadline);
    deadline->fd = fd;
    deadline->phase = phase;
    deadline->at_us = time_in(timeout_ms);
    pthread_mutex_lock(&deadlines->lock);
    deadline->next = deadlines->list.next;
    deadline->prev = &deadlines->list;
    deadline->next->prev = deadline->prev->next = deadline;
    pthread_mutex_unlock(&deadlines->lock);
    return deadline;
}

void deadline_remove(struct deadlines *deadlines, struct deadline *deadline)
{
    pthread_mutex_lock(&deadlines->lock);
    deadline->next->prev = deadline->prev;
    deadline->prev->next = deadline->next;
    pthread_mutex_unlock(&deadlines->lock);
    mem_free(deadline);
}

static void set(struct deadlines *deadlines, struct deadline *deadline, enum deadline_phase phase,
                uint64_t timeout_ms, void (*late)(void *argument), void *argument)
{
    pthread_mutex_lock(&deadlines->lock);
    deadline->phase = phase;
    deadline->hung_up = false;
    deadline->at_us = time_in(timeout_ms);
    deadline->late = late;
    deadline->argument = argument;
    pthread_mutex_unlock(&deadlines->lock);
}

void deadline_set(struct deadlines *deadlines, struct deadline *deadline, enum deadline_phase phase,
                  uint64_t timeout_ms)
{
    set(deadlines, deadline, phase, timeout_ms, NULL, NULL);
}

void deadline_work(struct deadlines *deadlines, struct deadline *deadline, uint64_t timeout_ms,
                   void (*late)(void *argument), void *argument)
{
    set(deadlines, deadline, DEADLINE_WAITS, timeout_ms, late, argument);
}
