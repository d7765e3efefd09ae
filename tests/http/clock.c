/* For LD_PRELOAD: whoever asks for the time of day gets one that is an hour ahead of what the
 * system waits by, as after the clock was set back. */
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
