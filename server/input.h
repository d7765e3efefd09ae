/* What a request asks of the library: a text and options, from a raw body and the query or from
 * JSON. */
#ifndef SERVER_INPUT_H
#define SERVER_INPUT_H

#include <jansson.h>
#include <stdbool.h>

#include "server/message.h"
#include "ptxopt.h"
#include "server/settings.h"

struct input {
    json_t *json; /* owns what is borrowed below, when the body was JSON */
    struct ptxopt_options *options;
    const char *name; /* for messages and reports */
    struct str source;
    struct fields chosen; /* the options as they were given, lists comma separated */
    struct arena arena;
};

/* Reads a request of /v1/optimize or /v1/report. False: the problem is in reply. input is to be
 * freed either way. */
bool input_read(const struct settings *settings, const struct request *request,
                struct input *input, struct reply *reply);

/* Reads {"source": …, "options": …} from text: a body, or a line of a batch. False: problem has
 * the sentence (arena of input). */
bool input_read_json(const struct settings *settings, struct str text, struct input *input,
                     const char **problem);

/* JSON of a client: no duplicate keys, no deeper than the limit. NULL: problem says why. */
json_t *input_parse(const struct settings *settings, struct str text, struct arena *arena,
                    const char **problem);

void input_free(struct input *input);

#endif
