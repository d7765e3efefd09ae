/* Deadlines of connections and of work. libmicrohttpd's own timeout is of inactivity: a client that
 * sends a byte now and then is never inactive. */
#ifndef SERVER_WORK_DEADLINES_H
#define SERVER_WORK_DEADLINES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/base/metrics.h"

struct deadlines;
struct deadline;

struct deadlines *deadlines_new(struct metrics *metrics);
void deadlines_free(struct deadlines *deadlines);

/* RECEIVES: the client has yet to send something; when it is gone the connection is shut down. */
enum deadline_phase { DEADLINE_WAITS, DEADLINE_RECEIVES };

/* The deadline of a connection, or of work that has none: fd -1. timeout_ms 0: it never comes,
 * until it is set. */
struct deadline *deadline_add(struct deadlines *deadlines, int fd, enum deadline_phase phase,
                              uint64_t timeout_ms);
void deadline_remove(struct deadlines *deadlines, struct deadline *deadline);

/* Another time in place of the old, after which the connection is shut down; 0: none. */
void deadline_set(struct deadlines *deadlines, struct deadline *deadline, enum deadline_phase phase,
                  uint64_t timeout_ms);

/* The same, but late is called then, once. Never after the next deadline_set, deadline_work or
 * deadline_remove has returned. */
void deadline_work(struct deadlines *deadlines, struct deadline *deadline, uint64_t timeout_ms,
                   void (*late)(void *argument), void *argument);

#endif
