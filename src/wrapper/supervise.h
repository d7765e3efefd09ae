/* Handles signals while ptxas runs as a child: the caller must not notice the wrapper. */
#ifndef PTXOPT_WRAPPER_SUPERVISE_H
#define PTXOPT_WRAPPER_SUPERVISE_H

#include <stdbool.h>
#include <sys/types.h>

/* Once, first: descriptors 0 to 2 are taken, as long as we live; a closed pipe and a file that may
 * not grow are errors of write(); the end of a child can be waited for. */
void supervise_prepare(void);

/* Once, before there is anything to clean up: from here on the signals that tell a program to end
 * (and are not ignored) only reach the child, and are remembered. */
void supervise_begin(void);

/* Whether there was one of them since. */
bool supervise_is_asked_to_end(void);

/* All is again as our caller left it. Ends this process by the signal that was remembered, if any:
 * whoever calls it has cleaned up. */
void supervise_end(void);

/* As fork; in the child it is as after supervise_end, and the child ends with us. */
pid_t supervise_fork(void);

/* Waits for the child's end; the status is waitpid's. */
int supervise_wait(pid_t child);

#endif
