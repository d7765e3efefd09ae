/* Reads the options of the client. Include jansson.h before this header. */
#ifndef PTXOPT_LSP_SETTINGS_H
#define PTXOPT_LSP_SETTINGS_H

#include "lsp/session.h"

/* Sets session->options to those of the command line with the changes in values (an object; NULL or
 * JSON null: none). On false, nothing has changed, and error has one line. */
bool settings_apply(struct session *session, const struct json_t *values, struct buf *error);

#endif
