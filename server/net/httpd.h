/* Connections: the only code that knows libmicrohttpd. */
#ifndef SERVER_NET_HTTPD_H
#define SERVER_NET_HTTPD_H

#include <stdbool.h>

#include "server/base/service.h"
#include "server/net/auth.h"

struct httpd;

/* Serves what comes to fd, which listens already. auth may be NULL. NULL: problem says why. */
struct httpd *httpd_start(struct service *service, struct auth *auth, int fd, char problem[256]);

/* Requests that have begun and are not answered. */
unsigned httpd_busy(struct httpd *httpd);

/* Ends the connections and frees it all. Nothing may be busy. */
/* Do the threads of connections still turn? False when one has not since this was called last. */
bool httpd_lives(struct httpd *httpd);

void httpd_stop(struct httpd *httpd);

#endif
