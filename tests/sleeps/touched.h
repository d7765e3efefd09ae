/* Finds what the operations of a kernel on tensor memory touch, for tests/sleeps. */
#ifndef PTXOPT_TESTS_SLEEPS_TOUCHED_H
#define PTXOPT_TESTS_SLEEPS_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct touched;

/* text is borrowed. NULL if it cannot be read. */
struct touched *touched_of(struct str text);
void touched_free(struct touched *touched);

/* The operations that begin in these lines have the same base and constant columns, and no column
 * in common. once: the path from one to the other contains no back edge, so a loop may change the
 * base. */
bool touched_apart(const struct touched *touched, uint32_t line, uint32_t other, bool once);

/* Each register that the tcgen05.ld in one line loads, or a value computed from it, is stored to
 * memory before the other line, in the order of the text: a store waits for its register. */
bool touched_consumed(const struct touched *touched, uint32_t load, uint32_t before);

/* Each path from the operation in one line to the fence::before_thread_sync in another has a commit
 * that tracks it, or a wait of its kind, except paths with contradictory branches; or, in the order
 * of the text, a commit and a wait for it are between the two. */
bool touched_tracked(const struct touched *touched, uint32_t line, uint32_t fence);

/* Between the line of what was received and the fence::after_thread_sync in another, in the order
 * of the text, there is an mbarrier wait or a barrier that acquires. */
bool touched_acquired(const struct touched *touched, uint32_t source, uint32_t fence);

/* The proxy fence in that line orders no two accesses: see proxies.h. */
bool touched_idle(const struct touched *touched, uint32_t fence);

#endif
