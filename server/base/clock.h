/* Reads the monotonic clock, which changes of the system's time do not affect, and waits by it. */
#ifndef SERVER_BASE_CLOCK_H
#define SERVER_BASE_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

uint64_t clock_now_us(void);

/* The processor time of this thread. */
uint64_t clock_thread_us(void);

/* Initialises a condition whose waits use that clock. clock_wait: false: the deadline came first.
 */
void clock_condition(pthread_cond_t *condition);
bool clock_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_us);

/* Waits until fd is ready for events, of poll; false when the deadline (0: none) comes first. */
bool clock_poll(int fd, short events, uint64_t deadline_us);

#endif
