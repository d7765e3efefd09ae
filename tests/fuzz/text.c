/* Checks which statements were removed, and that nothing else was. It decides this question of the
 * checker a second time, by the simplest means: a list of words without blanks and comments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

void fuzz_holds(bool condition, const char *words)
{
    if (condition) return;
    fprintf(stderr, "# does not hold: %s\n", words);
    abort();
}

struct words {
    struct fuzz_span *at;
    size_t count, room;
};

static void add(struct words *words, size_t start, size_t end)
{
    if (words->count == words->room) {
        words->room = words->room * 2 + 64;
        words->at = realloc(words->at, words->room * sizeof *words->at);
        if (!words->at) exit(EXIT_FAILURE);
    }
    words->at[words->count++] = (struct fuzz_span){start, end};
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_name(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '$' || c == '%' || (unsigned char)c >= 0x80;
}

/* After the comment or string at at; at when there is none. */
static size_t skip_long(const char *text, size_t len, size_t at)
{
    if (text[at] == '"') {
        const char *end = memchr(text + at + 1, '"', len - at - 1);
        return end ? (size_t)(end + 1 - text) : len;
    }
    if (text[at] != '/' || at + 1 == len) return at;
    if (text[at + 1] == '/') {
        const char *end = memchr(text + at, '\n', len - at);
        return end ? (size_t)(end - text) : len;
    }
    if (text[at + 1] != '*') return at;
    for (size_t end = at + 2; end + 1 < len; end++)
        if (text[end] == '*' && text[end + 1] == '/') return end + 2;
    return len;
}

/* A word is a run of name characters, a string, or one other character. */
static struct words split(const char *text, size_t len)
{
    struct words words = {0};
    for (size_t at = 0; at < len;) {
        size_t end = skip_long(text, len, at);
        if (end > at) {
            if (text[at] == '"') add(&words, at, end);
        } else if (is_blank(text[at])) {
            end = at + 1;
        } else {
            for (end = at; end < len && is_name(text[end]);) end++;
            if (end == at) end++;
            add(&words, at, end);
        }
        at = end;
    }
    return words;
}

static bool is_word(const char *text, const struct words *words, size_t i, const char *wanted)
{
    if (i >= words->count) return false;
    size_t n = words->at[i].end - words->at[i].start;
    return n == strlen(wanted) && memcmp(text + words->at[i].start, wanted, n) == 0;
}

/* The number of words of the removable statement that begins at word i; 0 if there is none. */
static size_t sync_length(const char *text, const struct words *words, size_t i)
{
    size_t at = i;
    if (is_word(text, words, at, "@")) {
        at++;
        if (is_word(text, words, at, "!")) at++;
        at++;
    }
    bool sync = is_word(text, words, at, "tcgen05") && is_word(text, words, at + 1, ".") &&
                (is_word(text, words, at + 2, "wait") || is_word(text, words, at + 2, "fence"));
    bool proxy = is_word(text, words, at, "fence") && is_word(text, words, at + 1, ".") &&
                 is_word(text, words, at + 2, "proxy") && is_word(text, words, at + 4, "async") &&
                 !is_word(text, words, at + 5, ":");
    if (!sync && !proxy) return 0;
    while (at < words->count && !is_word(text, words, at, ";")) at++;
    return at < words->count ? at + 1 - i : 0;
}

size_t fuzz_sync_statements(const char *text, size_t len, struct fuzz_span *spans, size_t most)
{
    struct words words = split(text, len);
    size_t count = 0;
    for (size_t i = 0; i < words.count && count < most;) {
        size_t n = sync_length(text, &words, i);
        if (n) spans[count++] = (struct fuzz_span){words.at[i].start, words.at[i + n - 1].end};
        i += n ? n : 1;
    }
    free(words.at);
    return count;
}

static bool same_words(const char *before, const struct fuzz_span *b, const char *after,
                       const struct fuzz_span *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t length = b[i].end - b[i].start;
        if (a[i].end - a[i].start != length) return false;
        if (memcmp(before + b[i].start, after + a[i].start, length) != 0) return false;
    }
    return true;
}

/* Matches as soon as possible: between two equal removable statements only such statements may be
 * removed, so the choice makes no difference. */
bool fuzz_is_thinned(const char *before, size_t before_len, const char *after, size_t after_len)
{
    struct words b = split(before, before_len), a = split(after, after_len);
    size_t i = 0, j = 0;
    while (i < b.count) {
        size_t n = sync_length(before, &b, i), step = n ? n : 1;
        if (a.count - j >= step && same_words(before, b.at + i, after, a.at + j, step))
            j += step;
        else if (!n)
            break;
        i += step;
    }
    bool thinned = i == b.count && j == a.count;
    free(b.at);
    free(a.at);
    return thinned;
}
