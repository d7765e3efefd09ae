/* Cancels the work on a file when its time is up. See timed.h. */
#include "cli/timed.h"

#include "base/clock.h"
#include "base/mem.h"

static uint64_t timed_now_ms(void)
{
    return clock_ns() / 1000000;
}

static bool timed_is_over(void *context)
{
    const struct timed *timed = context;
    return timed_now_ms() >= timed->until_ms;
}

void timed_begin(struct timed *timed, const struct ptxopt_options *options, uint64_t timeout_ms)
{
    timed->options = ptxopt_options_copy(options);
    if (!timed->options) mem_exhausted();
    timed->until_ms = timed_now_ms() + timeout_ms;
    if (timeout_ms) ptxopt_options_set_cancel(timed->options, timed_is_over, timed);
}

void timed_end(struct timed *timed)
{
    ptxopt_options_free(timed->options);
}
