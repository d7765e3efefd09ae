/* Numbers in directives. */
#ifndef PTXOPT_PTX_DIGITS_H
#define PTXOPT_PTX_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Decimal digits; UINT32_MAX for no number, or one too large. */
uint64_t digits_read(struct str text);

/* An integer as C spells it: octal, hexadecimal, binary, with a U. False for anything else. */
bool digits_read_integer(struct str text, uint64_t *value);

/* The same that is a count, at most UINT32_MAX. */
bool digits_read_count(struct str text, uint64_t *count);

#endif
