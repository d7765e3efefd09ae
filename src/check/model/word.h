/* Reads the modifiers of an opcode (".a.b::c") word by word. */
#ifndef PTXOPT_CHECK_MODEL_WORD_H
#define PTXOPT_CHECK_MODEL_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"

/* Whether one of the modifiers is exactly word (".volatile"). */
static inline bool word_has(struct str modifiers, const char *word)
{
    size_t n = strlen(word);
    const char *at = modifiers.p, *end = at + modifiers.n;
    while (at < end && (at = memchr(at, *word, (size_t)(end - at)))) {
        if ((size_t)(end - at) < n) return false;
        if (!memcmp(at, word, n) && (at + n == end || at[n] == '.')) return true;
        at++;
    }
    return false;
}

/* Returns the number of bytes that are equal from the start of both; a word of PTX contains no
 * NUL. */
static inline size_t word_common(struct str a, const char *b)
{
    size_t n = 0;
    while (n < a.n && a.p[n] == b[n]) n++;
    return n;
}

/* Whether modifiers begin with prefix, which ends with a dot. The modifiers may also end where that
 * dot is. */
static inline bool word_begins(struct str modifiers, const char *prefix)
{
    size_t n = word_common(modifiers, prefix);
    return !prefix[n] || (n == modifiers.n && !prefix[n + 1]);
}

#endif
