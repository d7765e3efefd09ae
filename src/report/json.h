/* Shared helpers for all JSON output. For files that include jansson.h before it. */
#ifndef PTXOPT_REPORT_JSON_H
#define PTXOPT_REPORT_JSON_H

#include "report/model.h"

struct json_t;

/* Makes jansson use the memory of the work, so that abandoned work leaks no value. For
 * programs, once, before the first value: a library may not, since others in the process use
 * jansson. */
void json_use_work(void);

/* Appends value on one line (pretty: indented) and a line feed, and gives the value up. */
void json_add(struct buf *out, struct json_t *value, bool pretty);

/* The value, which must not be NULL: jansson gives NULL when our text is bad. */
struct json_t *json_need(struct json_t *value);

/* object[key] = value; takes over value. */
void json_put(struct json_t *object, const char *key, struct json_t *value);
void json_put_text(struct json_t *object, const char *key, const char *text);
/* The same, but not for "" and 0. */
void json_put_any(struct json_t *object, const char *key, const char *text);
void json_put_count(struct json_t *object, const char *key, uint32_t count);

/* A string of any bytes; bytes that are not UTF-8 become U+FFFD. */
struct json_t *json_bytes(struct str text);

/* Names separated by commas as an array of strings. */
struct json_t *json_names(const char *names);

/* The line of the item, and below it, indented, what it rests on. */
struct json_t *json_message(const struct review_item *item);

#endif
