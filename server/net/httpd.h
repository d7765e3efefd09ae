/* The service's connections, served by libmicrohttpd. */
#ifndef SERVER_NET_HTTPD_H
#define SERVER_NET_HTTPD_H

#include <stdbool.h>

#include "server/base/service.h"
#include "server/net/auth.h"
#include "server/net/listen.h"

struct httpd;

/* Serves the connections of the sockets, which listen already. auth may be NULL. NULL: see problem.
 */
struct httpd *httpd_start(struct service *service, struct auth *auth, struct listens *listens,
                          char problem[256]);

/* Reads the files of TLS again. False: problem says why, and nothing changes. */
bool httpd_reload(struct httpd *httpd, char problem[256]);

/* Requests that have begun and are not answered. */
unsigned httpd_busy(struct httpd *httpd);

/* Accepts no more connections, and ends idle ones; returns the number of the rest. */
void httpd_finish(struct httpd *httpd);
unsigned httpd_left(struct httpd *httpd);

/* Whether all threads of connections have run a round since this was called last. */
bool httpd_lives(struct httpd *httpd);

/* Ends the connections and frees it all. Nothing may be busy. */
void httpd_stop(struct httpd *httpd);

#endif
