/* Offers code actions for a finding. Include jansson.h before it. */
#ifndef PTXOPT_LSP_ACTIONS_H
#define PTXOPT_LSP_ACTIONS_H

#include "lsp/session.h"

#define ACTION_QUICK_FIX "quickfix"
#define ACTION_FIX_ALL "source.fixAll.ptxopt"

/* The CodeActions for a range of the document, which is not stale, of the kinds in only (NULL:
 * all). NULL when the request with this id was withdrawn. */
struct json_t *actions_list(struct session *session, struct document *document, struct span span,
                            const struct json_t *only, const struct json_t *id);

#endif
