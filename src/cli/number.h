/* Parses numbers in arguments. Each function returns false, and leaves the value undefined, if
 * the text is not a number. */
#ifndef PTXOPT_CLI_NUMBER_H
#define PTXOPT_CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Digits only, at most limit; *end is what follows them. */
bool number_read(const char *text, size_t limit, size_t *value, const char **end);

/* A number of bytes, at most limit, with K, M or G (2^10, 2^20, 2^30) after it or not. */
bool number_bytes(const char *text, size_t limit, size_t *value);

/* Seconds, at most limit, with a fraction or not, in milliseconds. */
bool number_seconds(const char *text, size_t limit, size_t *ms);

#endif
