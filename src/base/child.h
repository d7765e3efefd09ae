/* Programs that ours runs. */
#ifndef PTXOPT_BASE_CHILD_H
#define PTXOPT_BASE_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A regular file that we may execute. */
bool child_is_program(const char *path);

/* The first program of that name in the folders of PATH that is wanted (NULL: any is). Where there
 * is no PATH it is /usr/bin and /bin. */
bool child_find(char path[PATH_MAX], const char *name, bool (*wanted)(const char *path));

/* The child's descriptor `as` is our descriptor `of`. */
struct child_file {
    int of, as;
};

/* Starts argv, its first word looked up on PATH, with nothing on standard input and signals
 * that this process ignores at their defaults. Returns 0 or an errno. */
int child_start(pid_t *child, char *const *argv, const struct child_file *files, size_t count);

/* Waits for its end; the status is waitpid's, that of an exit with 127 where it cannot be known
 * (SIGCHLD is ignored). */
enum { CHILD_UNKNOWN = 127 << 8 };
int child_wait(pid_t child);

/* The same until some moment of base/clock.h (0: without end); false when the child is not done by
 * then, and still to be waited for. */
bool child_wait_until(pid_t child, uint64_t until_ns, int *status);

#endif
