/* Parses numbers in directives. */
#ifndef PTXOPT_PTX_DIGITS_H
#define PTXOPT_PTX_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Reads decimal digits. UINT32_MAX if text is no number, or the number is too large. */
uint64_t digits_read(struct str text);

/* Reads an integer in the notation of C: octal, hexadecimal or binary, possibly with a U. False for
 * anything else. */
bool digits_read_integer(struct str text, uint64_t *value);

/* The same for a count, at most UINT32_MAX. */
bool digits_read_count(struct str text, uint64_t *count);

#endif
