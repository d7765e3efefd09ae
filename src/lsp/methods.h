/* Handles the requests and notifications of the client. Include jansson.h before it. */
#ifndef PTXOPT_LSP_METHODS_H
#define PTXOPT_LSP_METHODS_H

#include "lsp/session.h"

/* Handles the message, and answers it where it is a request. */
void methods_take(struct session *session, const struct letter *letter);

#endif
