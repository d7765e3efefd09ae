/* --cache-url: results that replicas share. Every error counts as a miss. */
#ifndef SERVER_STORE_REMOTE_H
#define SERVER_STORE_REMOTE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "server/base/metrics.h"
#include "server/base/settings.h"

struct remote;

/* NULL when the scheme of url is not known or not built in, or the rest of it is wrong. Connects to
 * nothing yet. secret: what its entries are signed with; empty for none. Before there are threads.
 */
struct remote *remote_new(const char *url, struct str secret, const struct settings *settings,
                          struct metrics *metrics);

/* Another url from now on, as with a new password. False: it is wrong as above, and the old one is
 * kept. Any thread. */
bool remote_set_url(struct remote *remote, const char *url);
void remote_free(struct remote *remote);

/* Whether its entries are signed. Else any writer of the cache can put anything there. */
bool remote_is_signed(const struct remote *remote);

/* key: 64 hexadecimal digits. A value found was once put under this same key, by a holder of the
 * secret; without one, unless the cache forges digests, too. Any thread. */
bool remote_get(struct remote *remote, const char *key, struct buf *out);
void remote_put(struct remote *remote, const char *key, struct str value);

#endif
