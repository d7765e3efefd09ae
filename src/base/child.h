/* Programs that ours runs. */
#ifndef PTXOPT_BASE_CHILD_H
#define PTXOPT_BASE_CHILD_H

#include <stddef.h>
#include <sys/types.h>

/* The child's descriptor `as` is our descriptor `of`. */
struct child_file {
    int of, as;
};

/* Starts argv, whose first word is looked for on PATH, with nothing on standard input and signals
 * that we ignore as they are by default. Returns 0 or an errno. */
int child_start(pid_t *child, char *const *argv, const struct child_file *files, size_t count);

/* Waits for its end; the status is waitpid's, that of an exit with 127 where nobody can tell
 * (SIGCHLD is ignored). */
enum { CHILD_UNKNOWN = 127 << 8 };
int child_wait(pid_t child);

#endif
