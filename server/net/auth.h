/* Bearer tokens. */
#ifndef SERVER_NET_AUTH_H
#define SERVER_NET_AUTH_H

#include <stdbool.h>

#include "base/arena.h"
#include "server/base/allowance.h"

struct auth;

/* A line of the file is NAME TOKEN [rate=N/S] [quota=N/S] [scopes=SCOPE,…] [expires=TIME]:
 * - rate, quota: at most N requests in S seconds, 1 to 31536000 (a year); one of each. Tokens of
 * the same name share them.
 * - scopes: the allowed scopes, of routes.h; without it all.
 * - expires: YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, as of which it is refused.
 * '#' begins a comment. NULL: *problem says why, for mem_free. allowances outlives it. */
struct auth *auth_new(const char *path, struct allowances *allowances, char **problem);
void auth_free(struct auth *auth);

/* Reads the file again. False: *problem says why, and the old tokens are kept. */
bool auth_reload(struct auth *auth, char **problem);

struct auth_token {
    const char *name;   /* in the arena of the call */
    const char *scopes; /* the same, comma separated; NULL: all */
    struct allowance *allowance;
    bool is_expired;
};

/* The token of an Authorization header (which may be NULL); false if it is not a known one. Always
 * compares with every token. */
bool auth_find(struct auth *auth, const char *authorization, struct arena *arena,
               struct auth_token *token);

#endif
