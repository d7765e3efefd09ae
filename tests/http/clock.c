/* For LD_PRELOAD: the time of day is an hour later than the clock by which the system waits, as if
 * the system's clock had been set back. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int status = (int)syscall(SYS_clock_gettime, clock, now);
    if (!status && clock == CLOCK_REALTIME) now->tv_sec += 3600;
    return status;
}
