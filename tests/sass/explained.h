/* Differences that are not losses, each with its reason: explained.tsv. */
#ifndef PTXOPT_TESTS_SASS_EXPLAINED_H
#define PTXOPT_TESTS_SASS_EXPLAINED_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the table: a row a line, FILE, FUNCTION, WHAT and WHY with tabs between; the first says
 * so. Call it once. */
void explained_read(const char *path);

/* Is there a row for `what` (a pattern as the shell's there) in the function of a file whose path
 * ends as the row says? */
bool is_explained(const char *path, const char *function, const char *what);

#endif
