/* Receives texts from the editor. Include jansson.h before this header. */
#ifndef PTXOPT_LSP_SYNC_H
#define PTXOPT_LSP_SYNC_H

#include "lsp/session.h"

/* Each returns false if params is not as in LSP 3.17, or if the document is not open. */
bool sync_open(struct session *session, const struct json_t *params);
bool sync_change(struct session *session, const struct json_t *params);
bool sync_close(struct session *session, const struct json_t *params);

/* The open document that params names; NULL: none. */
struct document *sync_document(const struct session *session, const struct json_t *params);

#endif
