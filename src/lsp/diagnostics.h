/* Publishes findings as diagnostics. Include jansson.h before this header. */
#ifndef PTXOPT_LSP_DIAGNOSTICS_H
#define PTXOPT_LSP_DIAGNOSTICS_H

#include "lsp/session.h"

/* Sends the client all diagnostics of the document, which must not be stale. */
void diagnostics_publish(struct session *session, struct document *document);

/* The same for a CUDA source whose lines are indexed: its own problem, and the findings of ptx
 * (NULL: there is none) that .loc maps to its lines. */
void diagnostics_publish_source(struct session *session, struct document *source,
                                const struct document *ptx);

/* Clears the diagnostics of the document. */
void diagnostics_withdraw(struct session *session, const struct document *document);

/* A Diagnostic for the item. */
struct json_t *diagnostics_value(struct session *session, struct document *document,
                                 const struct review_item *item);

#endif
