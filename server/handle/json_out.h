/* Answers that are JSON; report/json.h has the helpers. */
#ifndef SERVER_HANDLE_JSON_OUT_H
#define SERVER_HANDLE_JSON_OUT_H

#include <jansson.h>

#include "api/ptxopt.h"
#include "report/json.h"
#include "server/base/message.h"

/* A string of bytes that may be no UTF-8; see json_bytes. */
json_t *json_out_text(const char *text);

/* {"line", "column", "code", "message"} of a finding. */
json_t *json_out_diagnostic(const struct ptxopt_finding *finding);

/* {"edits", "kept", "advice", "skipped", "warnings", "stats"} of a result. */
json_t *json_out_result(const struct ptxopt_result *result);

/* Makes value, which it takes over, the body of reply; its type is application/json. */
void json_out_reply(struct reply *reply, json_t *value);

#endif
