/* Bearer tokens. */
#ifndef SERVER_NET_AUTH_H
#define SERVER_NET_AUTH_H

#include <stdbool.h>

#include "base/arena.h"

struct auth;

/* Reads lines "NAME TOKEN" ('#' begins a comment). NULL: *problem says why, for mem_free. */
struct auth *auth_new(const char *path, char **problem);
void auth_free(struct auth *auth);

/* Reads the file again. False: *problem says why, and the old tokens stay. */
bool auth_reload(struct auth *auth, char **problem);

/* The name of the token in an Authorization header (may be NULL), in arena; NULL when it is not
 * one of ours. Looks at every token, whichever fits. */
const char *auth_name(struct auth *auth, const char *authorization, struct arena *arena);

#endif
