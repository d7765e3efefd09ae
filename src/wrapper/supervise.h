/* Children that end before we do: while one runs, a signal that asks us to end goes on to it. */
#ifndef PTXOPT_WRAPPER_SUPERVISE_H
#define PTXOPT_WRAPPER_SUPERVISE_H

#include <stdbool.h>
#include <sys/types.h>

/* Once, before the first child: from here on the signals that ask a program to end (and are not
 * ignored) only reach the child, and are remembered. */
void supervise_begin(void);

/* In a child that is to do without: as it was before supervise_begin. */
void supervise_leave(void);

/* Waits for its end; the status is waitpid's. */
int supervise_wait(pid_t child);

/* Ends this process by the signal that was remembered, if any. Whoever calls it has cleaned up. */
void supervise_resume(void);

#endif
