/* Numbers, as the grammar spells them. */
#ifndef PTXOPT_SYNTAX_NUMERAL_H
#define PTXOPT_SYNTAX_NUMERAL_H

#include "syntax/token.h"

/* What a token is and where it ends. */
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

/* The number that begins with the digit at `at`, up to its end. */
struct word numeral_read(const char *at);

/* `8.7`, as it follows .version; TOKEN_ODD when there is none. */
struct word numeral_read_version(const char *at);

#endif
