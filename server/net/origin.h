/* Where nobody is asked who they are, whoever reaches the socket may ask: a page of any site in a
 * browser on this machine, too, and one whose name its owner has made to point here. */
#ifndef SERVER_NET_ORIGIN_H
#define SERVER_NET_ORIGIN_H

#include "server/base/message.h"
#include "server/base/settings.h"
#include "server/net/fault.h"

/* Is the request for this service by name? local: the connection's own address, NULL where no
 * browser comes to (a unix socket). */
const struct fault *origin_of_host(const struct settings *settings, const struct request *request,
                                   const char *local);

/* Does a page of another origin ask? Following a link is nobody's doing but the user's. */
const struct fault *origin_of_page(const struct request *request);

#endif
