/* Input of a request to the library: one or two texts and options, from a raw body and the query or
 * from JSON. */
#ifndef SERVER_HANDLE_INPUT_H
#define SERVER_HANDLE_INPUT_H

#include <jansson.h>
#include <stdbool.h>

#include "api/ptxopt.h"
#include "server/base/message.h"
#include "server/base/settings.h"

struct input {
    json_t *json; /* owns the strings borrowed below, when the body was JSON */
    struct ptxopt_options *options;
    const char *name;     /* for messages and reports */
    struct str source;    /* of /v1/verify: before */
    struct str after;     /* of /v1/verify only */
    struct fields chosen; /* the options as they were given, lists comma separated */
    struct arena arena;
};

/* Reads a request of /v1/optimize, /v1/report or /v1/lint: a raw text with options in the query, or
 * {"source": …, "options": …}. False: the problem is in reply. input is to be freed either way. */
bool input_read(const struct settings *settings, const struct request *request, struct input *input,
                struct reply *reply);

/* The same for /v1/verify: {"before": …, "after": …, "options": …}. */
bool input_read_pair(const struct settings *settings, const struct request *request,
                     struct input *input, struct reply *reply);

void input_free(struct input *input);

#endif
