/* Deadlines of connections and of work. libmicrohttpd's own timeout is of inactivity: a client that
 * sends a byte now and then is never inactive. */
#ifndef SERVER_WORK_WATCH_H
#define SERVER_WORK_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/base/metrics.h"

struct watch;
struct watched;

struct watch *watch_new(struct metrics *metrics);
void watch_free(struct watch *watch);

/* RECEIVES: the client has yet to send something; when it is gone the connection is shut down. */
enum watch_phase { WATCH_WAITS, WATCH_RECEIVES };

/* Begins / ends to watch a connection, or work that has none: fd -1. timeout_ms 0: no deadline
 * yet. */
struct watched *watch_add(struct watch *watch, int fd, enum watch_phase phase, uint64_t timeout_ms);
void watch_remove(struct watch *watch, struct watched *watched);

/* A new deadline in place of the old, after which the connection is shut down; 0: none. */
void watch_set(struct watch *watch, struct watched *watched, enum watch_phase phase,
               uint64_t timeout_ms);

/* The same, but late is called then, once. Never after the next watch_set, watch_work or
 * watch_remove has returned. */
void watch_work(struct watch *watch, struct watched *watched, uint64_t timeout_ms,
                void (*late)(void *argument), void *argument);

/* Of a clock that nobody sets. */
uint64_t watch_now_us(void);

/* A condition that is waited for by that clock; false: the deadline came first. */
void watch_condition(pthread_cond_t *condition);
bool watch_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_us);

#endif
