/* Helpers for all JSON output. Files must include jansson.h before this header. */
#ifndef PTXOPT_REPORT_JSON_H
#define PTXOPT_REPORT_JSON_H

#include "report/model.h"

struct json_t;

/* Makes jansson allocate from the memory of the work (base/work.h), so that work that is cancelled
 * leaks no value. A program calls it once before the first value. A library must not, because other
 * code in the process may use jansson. */
void json_use_work(void);

/* Appends value on one line (pretty: indented) and a line feed. Takes over value. */
void json_add(struct buf *out, struct json_t *value, bool pretty);

/* Returns value, which must not be NULL: jansson returns NULL only if a format or key in this
 * program is wrong. */
struct json_t *json_need(struct json_t *value);

/* object[key] = value. Takes over value. */
void json_put(struct json_t *object, const char *key, struct json_t *value);
void json_put_text(struct json_t *object, const char *key, const char *text);
/* Stores a text or a number, unless it is "" or 0. */
void json_put_any(struct json_t *object, const char *key, const char *text);
void json_put_count(struct json_t *object, const char *key, uint32_t count);

/* A string of arbitrary bytes. Bytes that are not valid UTF-8 become U+FFFD. */
struct json_t *json_bytes(struct str text);

/* An array of strings from names that are separated by commas. */
struct json_t *json_names(const char *names);

/* The line of the item and, indented below it, its details. */
struct json_t *json_message(const struct review_item *item);

#endif
