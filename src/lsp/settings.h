/* Reads the client's options. Include jansson.h before it. */
#ifndef PTXOPT_LSP_SETTINGS_H
#define PTXOPT_LSP_SETTINGS_H

#include "lsp/session.h"

/* Makes the options those of the command line with what values (an object; NULL or null: nothing)
 * says on top. On false nothing has changed, and error holds one line. */
bool settings_apply(struct session *session, const struct json_t *values, struct buf *error);

#endif
