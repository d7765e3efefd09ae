/* How the texts come from the editor. For those who include jansson.h before it. */
#ifndef PTXOPT_LSP_SYNC_H
#define PTXOPT_LSP_SYNC_H

#include "lsp/session.h"

/* Each false when params is not as LSP 3.17 has it, or the document is not open. */
bool sync_open(struct session *session, const struct json_t *params);
bool sync_change(struct session *session, const struct json_t *params);
bool sync_close(struct session *session, const struct json_t *params);

/* The open document that params name; NULL for none. */
struct document *sync_document(const struct session *session, const struct json_t *params);

#endif
