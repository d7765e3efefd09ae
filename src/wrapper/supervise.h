/* Handles signals while ptxas runs as a child, so that the caller of ptxas sees no difference. */
#ifndef PTXOPT_WRAPPER_SUPERVISE_H
#define PTXOPT_WRAPPER_SUPERVISE_H

#include <stdbool.h>
#include <sys/types.h>

/* Call it once, first. Opens missing descriptors among 0 to 2, so that no other file gets their
 * numbers. Ignores SIGPIPE and SIGXFSZ, so that write() fails instead, and gives SIGCHLD its
 * default action, so that the status of a child is available. */
void supervise_prepare(void);

/* Call it once, before creating files that must be removed. From then on, signals that end a
 * program (except ignored ones) are only passed on to the child, and the last one is stored. */
void supervise_begin(void);

/* Whether a signal was stored since supervise_begin. */
bool supervise_is_asked_to_end(void);

/* Restores the signal actions of the caller. Then ends this process by the stored signal, if any,
 * so all files must have been removed before. */
void supervise_end(void);

/* As fork. The child has the signal actions of the caller, and is killed if this process ends. */
pid_t supervise_fork(void);

/* Waits until the child has ended, and passes signals on to it meanwhile. Returns the status of
 * waitpid. */
int supervise_wait(pid_t child);

#endif
