/* Offers code actions for findings. Include jansson.h before this header. */
#ifndef PTXOPT_LSP_ACTIONS_H
#define PTXOPT_LSP_ACTIONS_H

#include "lsp/session.h"

#define ACTION_QUICK_FIX "quickfix"
#define ACTION_FIX_ALL "source.fixAll.ptxopt"

/* Returns the CodeActions for a range of the document, which must not be stale. only: the kinds
 * that are wanted; NULL: all. id: of the request. NULL if the request was cancelled. */
struct json_t *actions_list(struct session *session, struct document *document, struct span span,
                            const struct json_t *only, const struct json_t *id);

#endif
