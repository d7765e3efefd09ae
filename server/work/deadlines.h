/* Deadlines of work: a thread calls the given function when the time is over. Any thread may add
 * and remove them. */
#ifndef SERVER_WORK_DEADLINES_H
#define SERVER_WORK_DEADLINES_H

#include <stdint.h>

struct deadlines;
struct deadline;

/* NULL when the thread cannot be started. */
struct deadlines *deadlines_new(void);
void deadlines_free(struct deadlines *deadlines);

/* late is called once, some 25 ms after timeout_ms at the latest, unless it is removed before. */
struct deadline *deadline_add(struct deadlines *deadlines, uint64_t timeout_ms,
                              void (*late)(void *argument), void *argument);

/* late is not called any more once this has returned. */
void deadline_remove(struct deadlines *deadlines, struct deadline *deadline);

#endif
