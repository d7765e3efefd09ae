/* Starts other programs and waits for them. */
#ifndef PTXOPT_BASE_CHILD_H
#define PTXOPT_BASE_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Whether path is a regular file that this process may execute. */
bool child_is_program(const char *path);

/* Finds the first program `name` in the folders of PATH (/usr/bin and /bin if PATH is not set) for
 * which wanted returns true (NULL: any program), and writes its path to path. Returns false if
 * there is none. */
bool child_find(char path[PATH_MAX], const char *name, bool (*wanted)(const char *path));

/* The child gets the descriptor `of` of this process as its descriptor `as`. */
struct child_file {
    int of, as;
};

/* Starts argv; argv[0] is searched for on PATH. The child reads /dev/null on standard input, and
 * SIGPIPE and SIGXFSZ have their default actions. Returns 0, or an errno value. */
int child_start(pid_t *child, char *const *argv, const struct child_file *files, size_t count);

/* Waits until the child has ended. Returns the status of waitpid, or CHILD_UNKNOWN (exit status
 * 127) if waitpid fails, which it does when SIGCHLD is ignored. */
enum { CHILD_UNKNOWN = 127 << 8 };
int child_wait(pid_t child);

/* Waits as child_wait does, but at most until until_ns, a time of clock_ns (0: no time limit).
 * Returns false if the child has not ended by then; the caller must still wait for it. */
bool child_wait_until(pid_t child, uint64_t until_ns, int *status);

#endif
