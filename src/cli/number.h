/* Parses numbers in arguments. Each function returns false, and leaves the value undefined, if
 * the text is not a number. */
#ifndef PTXOPT_CLI_NUMBER_H
#define PTXOPT_CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Parses a number of digits only, at most limit. *end: what follows it. */
bool number_read(const char *text, size_t limit, size_t *value, const char **end);

/* Parses a number of bytes, at most limit, which may be followed by K, M or G (2^10, 2^20,
 * 2^30). */
bool number_bytes(const char *text, size_t limit, size_t *value);

/* Parses seconds, at most limit, possibly with a fraction. *ms: milliseconds. */
bool number_seconds(const char *text, size_t limit, size_t *ms);

#endif
