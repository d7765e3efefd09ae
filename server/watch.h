/* Deadlines of connections and of work. libmicrohttpd's own timeout is of inactivity: a client that sends a
 * byte now and then is never inactive. */
#ifndef SERVER_WATCH_H
#define SERVER_WATCH_H

#include <stdint.h>

#include "server/metrics.h"

struct watch;
struct watched;

struct watch *watch_new(struct metrics *metrics);
void watch_free(struct watch *watch);

/* Begins / ends to watch a connection, or work that has none: fd -1. timeout_ms 0: no deadline yet. */
struct watched *watch_add(struct watch *watch, int fd, uint64_t timeout_ms);
void watch_remove(struct watch *watch, struct watched *watched);

/* A new deadline in place of the old. late: what to do then, once, with argument; NULL shuts the
 * connection down. timeout_ms 0: none. late is never called after the next watch_set or
 * watch_remove has returned. */
void watch_set(struct watch *watch, struct watched *watched, uint64_t timeout_ms,
               void (*late)(void *argument), void *argument);

uint64_t watch_now_us(void);

#endif
