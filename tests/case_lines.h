/* The lines of a file of cases, and their parts: a row of a template, expectations. */
#ifndef PTXOPT_TESTS_CASE_LINES_H
#define PTXOPT_TESTS_CASE_LINES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

struct lines {
    struct bytes *at; /* each without its newline */
    uint32_t count;
};

/* The lines point into the text. */
static inline struct lines split_lines(struct bytes text)
{
    struct lines lines = {0};
    uint32_t room = 0;
    for (size_t start = 0; start < text.len;) {
        char *newline = memchr(text.data + start, '\n', text.len - start);
        size_t end = newline ? (size_t)(newline - text.data) : text.len;
        if (lines.count == room)
            lines.at = must(realloc(lines.at, (room = room * 2 + 64) * sizeof *lines.at));
        lines.at[lines.count++] = (struct bytes){text.data + start, end - start};
        start = end + 1;
    }
    return lines;
}

static inline bool begins(struct bytes line, const char *with)
{
    return line.len >= strlen(with) && !memcmp(line.data, with, strlen(with));
}

static inline size_t indent_of(struct bytes line)
{
    size_t indent = 0;
    while (indent < line.len && (line.data[indent] == ' ' || line.data[indent] == '\t')) indent++;
    return indent;
}

static inline bool is_blank(struct bytes line)
{
    return indent_of(line) == line.len;
}

static inline struct bytes behind(struct bytes line, size_t count)
{
    return (struct bytes){line.data + count, line.len - count};
}

static inline void append_line(struct bytes *to, struct bytes line)
{
    to->data = must(realloc(to->data, to->len + line.len + 2));
    if (line.len) memcpy(to->data + to->len, line.data, line.len);
    to->len += line.len;
    to->data[to->len++] = '\n';
    to->data[to->len] = '\0';
}

static const char *const mark_kinds[] = {"removed", "kept",    "advice", "skipped",
                                         "error",   "warning", "remark", "note",
                                         "missed",  "deleted", "witness"};

/* The kind of the mark that begins at this "// ", or NULL; word: the text after its colon. */
static inline const char *kind_at(struct bytes mark, struct bytes *word)
{
    if (!begins(mark, "// ")) return NULL;
    mark = behind(mark, 3);
    for (size_t i = 0; i < sizeof mark_kinds / sizeof *mark_kinds; i++) {
        if (!begins(mark, mark_kinds[i])) continue;
        *word = behind(mark, strlen(mark_kinds[i]));
        bool bare = !strcmp(mark_kinds[i], "kept") || !strcmp(mark_kinds[i], "advice") ||
                    !strcmp(mark_kinds[i], "deleted");
        if (begins(*word, ": ") && word->len > 2) return *word = behind(*word, 2), mark_kinds[i];
        if (bare && (!word->len || begins(*word, " // "))) return word->len = 0, mark_kinds[i];
    }
    return NULL;
}

/* Where the marks of the line begin; its length if it has none. */
static inline size_t marks_start(struct bytes line)
{
    struct bytes word;
    for (size_t at = 0; at + 3 < line.len; at++)
        if (line.data[at] == '/' && kind_at(behind(line, at), &word)) return at;
    return line.len;
}

/* The line without its marks and the blanks before them. */
static inline struct bytes without_marks(struct bytes line)
{
    size_t start = marks_start(line);
    if (start == line.len) return line;
    while (start && (line.data[start - 1] == ' ' || line.data[start - 1] == '\t')) start--;
    return (struct bytes){line.data, start};
}

/* Whether the variant is among the names "a, b". */
static inline bool is_named(struct bytes names, const char *variant)
{
    size_t len = strlen(variant);
    for (size_t at = 0; at < names.len;) {
        const char *comma = memchr(names.data + at, ',', names.len - at);
        size_t end = comma ? (size_t)(comma - names.data) : names.len;
        if (end - at == len && !memcmp(names.data + at, variant, len)) return true;
        at = end + 2;
    }
    return false;
}

/* Splits "    //| a, b: text" in its names and the text; false for another line. */
static inline bool split_row(struct bytes line, struct bytes *names, struct bytes *text)
{
    line = behind(line, indent_of(line));
    if (!begins(line, "//| ")) return false;
    *names = behind(line, 4);
    const char *colon = memchr(names->data, ':', names->len);
    size_t len = colon ? (size_t)(colon - names->data) : names->len;
    *text = behind(*names, len + (colon != NULL));
    if (begins(*text, " ")) *text = behind(*text, 1);
    names->len = len;
    return true;
}

#endif
