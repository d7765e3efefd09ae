/* What the operations on tensor memory in a kernel touch, for tests/sleeps. */
#ifndef PTXOPT_TESTS_SLEEPS_TOUCHED_H
#define PTXOPT_TESTS_SLEEPS_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct touched;

/* text is borrowed. NULL when it cannot be read. */
struct touched *touched_of(struct str text);
void touched_free(struct touched *touched);

/* The operations that begin in these lines: the same base, columns that are constants, no column
 * in common. once: the way from one to the other goes round no loop, so that the base may be one
 * that a loop changes. */
bool touched_apart(const struct touched *touched, uint32_t line, uint32_t other, bool once);

/* Each register that the tcgen05.ld in one line loads, or something computed from it, goes to
 * memory before the other line, as the text stands: a store waits for its register. */
bool touched_consumed(const struct touched *touched, uint32_t load, uint32_t before);

/* On each way from the operation in one line to the fence::before_thread_sync in another, but for
 * those that contradict themselves, is a commit that tracks it, or a wait for its kind; or, as the
 * text stands, a commit and a wait for that are between the two. */
bool touched_tracked(const struct touched *touched, uint32_t line, uint32_t fence);

/* Between the line of what was received and the fence::after_thread_sync in another, as the text
 * stands, is an mbarrier wait or a barrier that acquires. */
bool touched_acquired(const struct touched *touched, uint32_t source, uint32_t fence);

/* The proxy fence in that line keeps nothing apart: see proxies.h. */
bool touched_idle(const struct touched *touched, uint32_t fence);

#endif
