/* Finds the ptxas of the CUDA toolkit, as opposed to links to this program. */
#ifndef PTXOPT_WRAPPER_REAL_H
#define PTXOPT_WRAPPER_REAL_H

#include <limits.h>
#include <stdbool.h>

/* The path of a link to this program with this suffix is the path of a link to the program that it
 * replaces. */
#define REAL_SUFFIX ".real"

/* Returns the path of the link to this program, or of the copy, that was called as ptxas. argv[0]
 * (called) may be any word: tileiras executes bin/ptxas by its path and passes "ptxas". So the
 * result is the path that the kernel executed (AT_EXECFN) if that is this program. Otherwise, if
 * argv[0] has no slash, it is the path of this program, stored in path, unless its file name is
 * ptxopt-ptxas; otherwise it is called. */
const char *real_link(const char *called, char path[PATH_MAX]);

/* Finds the program to run for a call of `called`, which is a link to this program or the command
 * after ptxopt-ptxas. The first of these that is set counts: the value of PTXOPT_REAL_PTXAS;
 * `called` itself if it is a path to another program. If neither is, the first program found
 * counts: the file beside the link with REAL_SUFFIX; the first program of that name on PATH that is
 * not this program; the first such "ptxas" on PATH. This program is recognised by device and inode.
 *
 * Returns false if there is none; *why then is a static string that says what to do. */
bool real_find(char path[PATH_MAX], const char *called, const char **why);

/* Finds the first program `name` on PATH that is this program (us true), or that is not (us
 * false). */
bool real_search(char path[PATH_MAX], const char *name, bool us);

/* Whether the file at path is this program, by device and inode. */
bool real_is_us(const char *path);

/* Writes the path of this program with links resolved. Returns false if /proc is not available. */
bool real_us(char path[PATH_MAX]);

#endif
