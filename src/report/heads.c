/* Reads the directives of a PTX text that a call of ptxas depends on, without those in comments.
 * See heads.h. */
#include "report/heads.h"

#include <string.h>

#include "base/buf.h"

/* The first byte at or after `at` that is neither blank nor part of a comment. */
static size_t heads_skip_blanks(struct str text, size_t at)
{
    while (at < text.n) {
        const char *end = NULL, *p = text.p + at;
        size_t left = text.n - at;
        if (strchr(" \t\r\n\f\v", *p)) {
            at++;
            continue;
        }
        if (left < 2 || *p != '/') return at;
        if (p[1] == '/')
            end = memchr(p, '\n', left);
        else if (p[1] == '*')
            end = memmem(p + 2, left - 2, "*/", 2);
        else
            return at;
        if (!end) return text.n;
        at = (size_t)(end - text.p) + (*end == '*' ? 2 : 1);
    }
    return text.n;
}

/* The word at `at`, an identifier or a number; empty if there is none. */
static struct str word_at(struct str text, size_t at)
{
    size_t end = at;
    while (end < text.n && (text.p[end] == '_' || text.p[end] == '$' || text.p[end] == '%' ||
                            (text.p[end] >= '0' && text.p[end] <= '9') ||
                            ((text.p[end] | 0x20) >= 'a' && (text.p[end] | 0x20) <= 'z')))
        end++;
    return (struct str){text.p + at, end - at};
}

/* The place after the word, string or sign at `at` and the blanks that follow it. */
static size_t step_over(struct str text, size_t at)
{
    bool is_string = text.p[at] == '"';
    const char *end = is_string ? memchr(text.p + at + 1, '"', text.n - at - 1) : NULL;
    if (is_string) return heads_skip_blanks(text, end ? (size_t)(end - text.p) + 1 : text.n);
    return heads_skip_blanks(text, at + 1 + word_at(text, at + 1).n);
}

static bool is_directive(struct str text, size_t at, const char *name)
{
    return text.p[at] == '.' && str_is(word_at(text, at + 1), name);
}

char *heads_target(struct str text)
{
    enum { LONGEST = 32 };
    for (size_t at = heads_skip_blanks(text, 0); at < text.n; at = step_over(text, at)) {
        if (!is_directive(text, at, "target")) continue;
        struct str word = word_at(text, step_over(text, at));
        if (word.n <= 3 || word.n >= LONGEST || memcmp(word.p, "sm_", 3) != 0) return NULL;
        struct buf arch = {0};
        buf_add(&arch, word.p, word.n);
        return buf_take(&arch);
    }
    return NULL;
}

/* The product of up to three numbers, as in "192, 1, 1"; 0 if no CTA can have that many threads. */
static uint32_t read_threads(struct str text, size_t at)
{
    enum { DIMENSIONS = 3, MOST_THREADS = 1024 };
    uint32_t threads = 1;
    for (int i = 0; i < DIMENSIONS && at < text.n; i++) {
        struct str word = word_at(text, at);
        uint32_t number = 0;
        for (size_t k = 0; k < word.n; k++) {
            if (word.p[k] < '0' || word.p[k] > '9' || number > MOST_THREADS) return 0;
            number = number * 10 + (uint32_t)(word.p[k] - '0');
        }
        if (number > MOST_THREADS) return 0;
        threads *= number;
        if (threads > MOST_THREADS) return 0;
        at = heads_skip_blanks(text, at + word.n);
        if (at >= text.n || text.p[at] != ',') break;
        at = heads_skip_blanks(text, at + 1);
    }
    return threads;
}

bool heads_next(struct str text, size_t *at, struct head *head)
{
    bool inside = false;
    for (*at = heads_skip_blanks(text, *at); *at < text.n; *at = step_over(text, *at)) {
        bool limits = is_directive(text, *at, "maxntid") || is_directive(text, *at, "reqntid");
        if (is_directive(text, *at, "entry")) {
            *head = (struct head){word_at(text, step_over(text, *at)), 0};
            inside = true;
        } else if (inside && limits) {
            head->threads = read_threads(text, step_over(text, *at));
        } else if (inside && (text.p[*at] == '{' || text.p[*at] == ';')) {
            return true;
        }
    }
    return false;
}
