/* One piece of work by several threads. */
#ifndef PTXOPT_BASE_TEAM_H
#define PTXOPT_BASE_TEAM_H

#include <stdbool.h>
#include <stdint.h>

enum { TEAM_MOST_THREADS = 64 };

/* Calls run(context, i) once for each i below count, from up to `threads` threads (1 to
 * TEAM_MOST_THREADS), the caller's among them, in any order. Each call is a part of the caller's
 * work: what it keeps belongs to that when all have completed, and it may use an equal
 * share of the memory that the work has left. Calls may read what others read, and write only what
 * is theirs.
 *
 * False when a part has used up its share: then nothing is kept of any, and who needs less memory
 * by doing one after the other may. A part that ends otherwise ends the caller's work in the same
 * way: of several the one with the least i. */
bool team_run(uint32_t threads, uint32_t count, void (*run)(void *context, uint32_t index),
              void *context);

#endif
