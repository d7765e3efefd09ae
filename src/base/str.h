/* A borrowed piece of text: not NUL-terminated, never owned. */
#ifndef PTXOPT_BASE_STR_H
#define PTXOPT_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct str {
    const char *p;
    size_t n;
};

static inline struct str str_from(const char *text)
{
    return (struct str){text, strlen(text)};
}

static inline bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && (!a.n || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool str_is(struct str a, const char *text)
{
    return str_eq(a, str_from(text));
}

/* Returns the text before the first line feed, or all of it. */
static inline struct str str_first_line(struct str text)
{
    const char *end = text.n ? (const char *)memchr(text.p, '\n', text.n) : NULL;
    return (struct str){text.p, end ? (size_t)(end - text.p) : text.n};
}

static inline bool str_starts(struct str a, const char *prefix)
{
    size_t n = strlen(prefix);
    return a.n >= n && memcmp(a.p, prefix, n) == 0;
}

#endif
