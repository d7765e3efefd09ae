/* Reads the clock, and waits until a deadline by it. See clock.h. */
#include "server/base/clock.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

#include "base/clock.h"

uint64_t clock_now_us(void)
{
    return clock_ns() / 1000;
}

uint64_t clock_thread_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

void clock_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool clock_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_us)
{
    struct timespec until = {(time_t)(deadline_us / 1000000), (long)(deadline_us % 1000000 * 1000)};
    return pthread_cond_timedwait(condition, lock, &until) == 0;
}

bool clock_poll(int fd, short events, uint64_t deadline_us)
{
    for (;;) {
        struct pollfd polled = {.fd = fd, .events = events};
        uint64_t now = clock_now_us();
        if (deadline_us && now >= deadline_us) return false;
        int timeout = deadline_us ? (int)((deadline_us - now) / 1000 + 1) : -1;
        int ready = poll(&polled, 1, timeout);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}
