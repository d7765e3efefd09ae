/* Explains the instruction under the pointer. Include jansson.h before this header. */
#ifndef PTXOPT_LSP_HOVER_H
#define PTXOPT_LSP_HOVER_H

#include "lsp/session.h"

/* A Hover about the findings at that offset of the document, which must not be stale; JSON null if
 * there are none. */
struct json_t *hover_value(const struct session *session, struct document *document,
                           uint32_t offset);

#endif
