/* Runs one work on several threads. */
#ifndef PTXOPT_BASE_TEAM_H
#define PTXOPT_BASE_TEAM_H

#include <stdbool.h>
#include <stdint.h>

enum { TEAM_MOST_THREADS = 64 };

/* Calls run(context, i) once for each i below count, in any order, on up to `threads` threads (1 to
 * TEAM_MOST_THREADS) including the thread of the caller. Each call is a part of the work of the
 * caller: it may use an equal share of the memory that this work has left, and the work owns what
 * the parts allocated once all of them have completed. Calls may read shared data, but each may
 * write only data that no other call reads or writes.
 *
 * Returns false if a part needed more than its share. Then the allocations of all parts are freed,
 * and the caller may need less memory by running the parts one after the other. If a part ends for
 * another reason, the work of the caller ends for this reason; of several such parts, that of the
 * least i counts. */
bool team_run(uint32_t threads, uint32_t count, void (*run)(void *context, uint32_t index),
              void *context);

#endif
