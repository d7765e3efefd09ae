/* Time limits of connections: a list for each duration. What is started last is due last, so only
 * the first of a list is checked. Of one thread. */
#ifndef SERVER_NET_TIMEOUTS_H
#define SERVER_NET_TIMEOUTS_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialise: it is stopped. */
struct timeout {
    struct timeout *next, *prev;
    uint64_t at_us;
};

struct timeouts {
    struct timeout ring;
    uint64_t duration_us;
};

void timeouts_init(struct timeouts *timeouts, uint64_t duration_ms);

/* Starts timeout, again if it runs in any list. now_us: by clock_now_us. */
void timeout_start(struct timeouts *timeouts, struct timeout *timeout, uint64_t now_us);
void timeout_stop(struct timeout *timeout);

/* One that is due, still running; NULL: none is. */
struct timeout *timeouts_due(const struct timeouts *timeouts, uint64_t now_us);

/* The one started last, still running; NULL: none runs. */
struct timeout *timeouts_last(const struct timeouts *timeouts);

/* When the first is due; UINT64_MAX: none runs. */
uint64_t timeouts_next(const struct timeouts *timeouts);

#endif
