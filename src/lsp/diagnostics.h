/* Findings as diagnostics. For those who include jansson.h before it. */
#ifndef PTXOPT_LSP_DIAGNOSTICS_H
#define PTXOPT_LSP_DIAGNOSTICS_H

#include "lsp/session.h"

/* Tells the client all diagnostics of the document, which is not stale. */
void diagnostics_publish(struct session *session, struct document *document);

/* Takes away what it has been told of the document. */
void diagnostics_withdraw(struct session *session, const struct document *document);

/* A Diagnostic. */
struct json_t *diagnostics_value(struct session *session, struct document *document,
                                 const struct review_item *item);

#endif
