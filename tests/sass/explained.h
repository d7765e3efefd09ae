/* Differences that are not losses, each with its reason: explained.tsv. */
#ifndef PTXOPT_TESTS_SASS_EXPLAINED_H
#define PTXOPT_TESTS_SASS_EXPLAINED_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the table: one row in each line, FILE, FUNCTION, WHAT and WHY separated by tabs; the first
 * line has these names. Call it once. */
void explained_read(const char *path);

/* Whether there is a row for `what` (a shell pattern in the table) in the function of a file whose
 * path ends with the FILE of the row. */
bool is_explained(const char *path, const char *function, const char *what);

#endif
