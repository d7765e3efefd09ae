/* The ptxas that is not ours. */
#ifndef PTXOPT_WRAPPER_REAL_H
#define PTXOPT_WRAPPER_REAL_H

#include <limits.h>
#include <stdbool.h>

/* The suffix, after the name of a link to this program, of a link to the program it replaces. */
#define REAL_SUFFIX ".real"

/* The link to us, or copy of us, that was called in the place of a ptxas. argv[0] (called) may be
 * any word (tileiras executes bin/ptxas by its path and calls it "ptxas"), so it is the path that
 * the kernel executed (AT_EXECFN); else, for an argv[0] that is no path, this program itself, in
 * path, where it has another name than ptxopt-ptxas; else argv[0]. */
const char *real_link(const char *called, char path[PATH_MAX]);

/* Finds the program that a call of `called` (a link to us, or the command that we are
 * the prefix of) is meant for: what PTXOPT_REAL_PTXAS names; `called` itself, where it is a path,
 * but not to us; the file beside the link with REAL_SUFFIX; else the next of that name on PATH
 * that is not ourselves, at last the next "ptxas". Ourselves is known by device and inode. False:
 * there is none, and *why, static, gives the remedy. */
bool real_find(char path[PATH_MAX], const char *called, const char **why);

/* The next program of that name on PATH that is ourselves (us), or that is not. */
bool real_search(char path[PATH_MAX], const char *name, bool us);

/* Whether the file is this program. */
bool real_is_us(const char *path);

/* The path of this program itself, links resolved; false when the system does not say. */
bool real_us(char path[PATH_MAX]);

#endif
