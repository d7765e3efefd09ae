/* Publishes findings as diagnostics. Include jansson.h before it. */
#ifndef PTXOPT_LSP_DIAGNOSTICS_H
#define PTXOPT_LSP_DIAGNOSTICS_H

#include "lsp/session.h"

/* Sends the client all diagnostics of the document, which is not stale. */
void diagnostics_publish(struct session *session, struct document *document);

/* The same of a CUDA source, whose lines are indexed: its own problem, and the findings of ptx
 * (NULL: there is none) that .loc maps to its lines. */
void diagnostics_publish_source(struct session *session, struct document *source,
                                const struct document *ptx);

/* Clears the diagnostics that were sent for the document. */
void diagnostics_withdraw(struct session *session, const struct document *document);

/* A Diagnostic. */
struct json_t *diagnostics_value(struct session *session, struct document *document,
                                 const struct review_item *item);

#endif
