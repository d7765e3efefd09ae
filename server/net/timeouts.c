/* Keeps the time limits of connections. See timeouts.h: rings in the order of their time. */
#include "server/net/timeouts.h"

#include <stddef.h>

void timeouts_init(struct timeouts *timeouts, uint64_t duration_ms)
{
    timeouts->ring.next = timeouts->ring.prev = &timeouts->ring;
    timeouts->duration_us = duration_ms * 1000;
}

void timeout_start(struct timeouts *timeouts, struct timeout *timeout, uint64_t now_us)
{
    timeout_stop(timeout);
    timeout->at_us = now_us + timeouts->duration_us;
    timeout->next = &timeouts->ring;
    timeout->prev = timeouts->ring.prev;
    timeout->next->prev = timeout->prev->next = timeout;
}

void timeout_stop(struct timeout *timeout)
{
    if (!timeout->next) return;
    timeout->next->prev = timeout->prev;
    timeout->prev->next = timeout->next;
    timeout->next = timeout->prev = NULL;
}

struct timeout *timeouts_due(const struct timeouts *timeouts, uint64_t now_us)
{
    struct timeout *first = timeouts->ring.next;
    return first != &timeouts->ring && first->at_us <= now_us ? first : NULL;
}

struct timeout *timeouts_last(const struct timeouts *timeouts)
{
    return timeouts->ring.prev != &timeouts->ring ? timeouts->ring.prev : NULL;
}

uint64_t timeouts_next(const struct timeouts *timeouts)
{
    const struct timeout *first = timeouts->ring.next;
    return first == &timeouts->ring ? UINT64_MAX : first->at_us;
}
