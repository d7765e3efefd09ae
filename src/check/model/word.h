/* The modifiers of an opcode (".a.b::c", joined), word by word. */
#ifndef PTXOPT_CHECK_MODEL_WORD_H
#define PTXOPT_CHECK_MODEL_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"

/* True when one of the modifiers is exactly word (".volatile"). */
static inline bool word_has(struct str modifiers, const char *word)
{
    size_t n = strlen(word);
    for (size_t at = 0; at + n <= modifiers.n; at++)
        if (modifiers.p[at] == *word && !memcmp(modifiers.p + at, word, n) &&
            (at + n == modifiers.n || modifiers.p[at + n] == '.'))
            return true;
    return false;
}

/* How many bytes of the two are equal from their start; no word of PTX has a NUL. */
static inline size_t word_common(struct str a, const char *b)
{
    size_t n = 0;
    while (n < a.n && a.p[n] == b[n]) n++;
    return n;
}

/* Whether modifiers begin with prefix, which ends with a dot. They may end in place of that dot. */
static inline bool word_begins(struct str modifiers, const char *prefix)
{
    size_t n = word_common(modifiers, prefix);
    return !prefix[n] || (n == modifiers.n && !prefix[n + 1]);
}

#endif
