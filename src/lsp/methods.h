/* The requests and notifications of the client. For those who include jansson.h before it. */
#ifndef PTXOPT_LSP_METHODS_H
#define PTXOPT_LSP_METHODS_H

#include "lsp/session.h"

/* Does what the message says, and answers it where it asks. */
void methods_take(struct session *session, const struct letter *letter);

#endif
