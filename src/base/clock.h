/* Measures elapsed time with the monotonic clock, which changes of the system's time do not
 * affect. */
#ifndef PTXOPT_BASE_CLOCK_H
#define PTXOPT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment before the process began. */
static inline uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
