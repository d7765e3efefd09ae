/* Bytes of a stranger's file as text that can be shown: always valid UTF-8, nothing invisible. */
#ifndef PTXOPT_REPORT_CLEAN_H
#define PTXOPT_REPORT_CLEAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* The length in bytes, at least 1, of the character that text (not empty) begins with, and its code
 * point; a byte that belongs to no valid UTF-8 sequence is U+FFFD of length 1. */
size_t clean_char(struct str text, uint32_t *code);

/* Characters in text, counted so. */
uint32_t clean_count(struct str text);

/* A copy in which every invalid byte is U+FFFD. */
const char *clean_utf8(struct arena *arena, struct str text);

/* As clean_utf8, of at most so many bytes of text, with an ellipsis for the others. */
const char *clean_start(struct arena *arena, struct str text, size_t most);

/* A copy on one line: as clean_utf8, blanks in a row become one, none at the ends; the semicolon of
 * an instruction is removed. */
const char *clean_instruction(struct arena *arena, struct str text);

/* A copy of the path without "." and blank parts, which make equal paths compare as different,
 * and without ".." after a folder's name; "." for an empty result. */
const char *clean_path(struct arena *arena, const char *path);

/* Appends text for a reader's eyes: controls other than tabs, and the marks that turn the direction
 * of writing (with which source can look like what it is not), are U+FFFD. */
void clean_add(struct buf *out, struct str text);

/* As clean_add, with < > & and quotes as HTML has them. */
void clean_add_html(struct buf *out, struct str text);

#endif
