/* Measures elapsed time with the monotonic clock, which a change of the system time does not
 * affect. */
#ifndef PTXOPT_BASE_CLOCK_H
#define PTXOPT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns nanoseconds since a fixed moment before the process started. */
static inline uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
