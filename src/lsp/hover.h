/* Explains the instruction under the pointer. Include jansson.h before it. */
#ifndef PTXOPT_LSP_HOVER_H
#define PTXOPT_LSP_HOVER_H

#include "lsp/session.h"

/* A Hover about the findings at the offset of the document, which is not stale; null for none. */
struct json_t *hover_value(const struct session *session, struct document *document,
                           uint32_t offset);

#endif
