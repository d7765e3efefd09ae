/* Runs ptxopt on a document. Messages of the client can end a run. Include jansson.h before this
 * header. */
#ifndef PTXOPT_LSP_RUN_H
#define PTXOPT_LSP_RUN_H

#include "lsp/session.h"

/* Analyses the document if it is stale, and publishes the result. id: of the request that needs it;
 * NULL: none. False if there is no result, because the request was cancelled or, without a request,
 * because the text is about to change or the result is no longer needed. */
bool run_document(struct session *session, struct document *document, const struct json_t *id);

/* The result of a run that makes only the removal with this id, for ptxopt_result_free; NULL if the
 * request was cancelled. */
struct ptxopt_result *run_only(struct session *session, struct document *document,
                               const char *finding, const struct json_t *id);

/* The result of a run that removes nothing and inserts the fix of the lint finding with this id; as
 * above. */
struct ptxopt_result *run_fix(struct session *session, struct document *document,
                              const char *finding, const struct json_t *id);

#endif
