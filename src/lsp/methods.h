/* Handles requests and notifications of the client. Include jansson.h before this header. */
#ifndef PTXOPT_LSP_METHODS_H
#define PTXOPT_LSP_METHODS_H

#include "lsp/session.h"

/* Handles the message, and answers it if it is a request. */
void methods_take(struct session *session, const struct letter *letter);

#endif
