/* Runs ptxopt on a document; messages of the client can end a run. Include
 * jansson.h before it. */
#ifndef PTXOPT_LSP_RUN_H
#define PTXOPT_LSP_RUN_H

#include "lsp/session.h"

/* Analyses the document if needed and publishes the result. id: of the request that needs it;
 * NULL: of none. False: it is not known yet, because the request was withdrawn or, where there is
 * none, the text is about to change or the result is no longer needed. */
bool run_document(struct session *session, struct document *document, const struct json_t *id);

/* A run in which only the removal with this id is made, for ptxopt_result_free; NULL where the
 * request was withdrawn. */
struct ptxopt_result *run_only(struct session *session, struct document *document,
                               const char *finding, const struct json_t *id);

/* The same where nothing is removed, and what fixes the finding of lint with this id is inserted.
 */
struct ptxopt_result *run_fix(struct session *session, struct document *document,
                              const char *finding, const struct json_t *id);

#endif
