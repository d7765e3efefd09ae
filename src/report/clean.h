/* Converts bytes of untrusted files to text that can be shown: valid UTF-8 without invisible
 * characters. */
#ifndef PTXOPT_REPORT_CLEAN_H
#define PTXOPT_REPORT_CLEAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* Returns the length in bytes, at least 1, of the first character of text, which must not be empty,
 * and sets *code to its code point. A byte that belongs to no valid UTF-8 sequence counts as U+FFFD
 * with length 1. */
size_t clean_char(struct str text, uint32_t *code);

/* The number of characters in text, as clean_char counts them. */
uint32_t clean_count(struct str text);

/* A copy in which every invalid byte is replaced by U+FFFD. In arena. */
const char *clean_utf8(struct arena *arena, struct str text);

/* As clean_utf8, but at most the first `most` bytes of text, with an ellipsis if there are more. */
const char *clean_start(struct arena *arena, struct str text, size_t most);

/* A copy on one line: as clean_utf8, each run of blanks becomes one blank, blanks at both ends and
 * the final semicolon are removed. In arena. */
const char *clean_instruction(struct arena *arena, struct str text);

/* A copy of the path without "." and empty parts, because otherwise equal paths compare as
 * different, and without "FOLDER/..". "." if nothing is left. In arena. */
const char *clean_path(struct arena *arena, const char *path);

/* Appends text for people. Control characters other than tabs, and characters that change the
 * direction of writing (with which source text can look different from what it is), become
 * U+FFFD. */
void clean_add(struct buf *out, struct str text);

/* As clean_add, and replaces < > & and quotes by HTML entities. */
void clean_add_html(struct buf *out, struct str text);

#endif
