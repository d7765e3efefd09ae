/* Skips comments, strings and lines that begin with '#'. See comment.h. */
#include "text/comment.h"

#include <stddef.h>
#include <string.h>

const char *comment_skip(const char *at, const char *end)
{
    const char *close = NULL;
    size_t left = (size_t)(end - at), extra = 1;
    if (*at == '"') close = memchr(at + 1, '"', left - 1);
    if (*at == '#' || (left > 1 && at[0] == '/' && at[1] == '/')) close = memchr(at, '\n', left);
    if (left > 3 && at[0] == '/' && at[1] == '*') {
        close = memmem(at + 2, left - 2, "*/", 2);
        extra = 2;
    }
    return close ? close + extra : at;
}
