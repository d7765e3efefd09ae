/* Reads numbers as the grammar defines them. */
#ifndef PTXOPT_SYNTAX_NUMERAL_H
#define PTXOPT_SYNTAX_NUMERAL_H

#include "syntax/token.h"

/* The kind of a token and its end. */
struct word {
    const char *end;
    enum token_kind kind;
};

static inline bool numeral_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline const char *numeral_digits_end(const char *at)
{
    while (numeral_is_digit(*at)) at++;
    return at;
}

/* Reads the number that begins with the digit at `at`. The text must end with a byte that ends a
 * number. */
struct word numeral_read(const char *at);

/* Reads a version such as `8.7`, which follows .version. The kind is TOKEN_ODD if there is none. */
struct word numeral_read_version(const char *at);

#endif
