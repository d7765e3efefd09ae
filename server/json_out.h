/* Writing JSON. By hand, since jansson writes 25-49 MB/s and has no limit on its recursion. */
#ifndef SERVER_JSON_OUT_H
#define SERVER_JSON_OUT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "ptxopt.h"

/* A JSON string of text[0..len); bytes that are not UTF-8 become U+FFFD. */
void json_out_string(struct buf *out, const char *text, size_t len);
void json_out_text(struct buf *out, const char *text);

/* ,"name":"text"  The comma is left out behind '{', '[' and at the start. */
void json_out_member(struct buf *out, const char *name, const char *text);
void json_out_number(struct buf *out, const char *name, uint64_t number);
/* ,"name": */
void json_out_name(struct buf *out, const char *name);

bool json_out_is_utf8(struct str text);

/* The members edits, kept, advice, skipped and stats, without braces around them. */
void json_out_result(struct buf *out, const struct ptxopt_result *result);

#endif
