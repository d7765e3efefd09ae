/* The log: a JSON object a line on standard error. It never has PTX, bodies or tokens. */
#ifndef SERVER_BASE_LOG_H
#define SERVER_BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/trace.h"

/* An event with a sentence. level: "info", "warning", "error". */
void log_event(const char *level, const char *event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Lines below that level ("info", "warning" or "error") are left out from now on. False: it is
 * none of them. */
bool log_set_level(const char *level);

struct log_request {
    const char *id, *client, *method, *path;
    const char *address;       /* of the client, where it has a name; "" */
    const struct trace *trace; /* NULL: not to be shown */
    int status;
    uint64_t duration_us, bytes_in, bytes_out;
    const char *cache; /* "hit", "miss" or "" */
};
void log_request(const struct log_request *request);

#endif
