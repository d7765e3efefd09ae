/* Without authentication, any client of the socket may send requests: a page of any site in a
 * browser on this machine, too, and one with a name that its owner points here. */
#ifndef SERVER_NET_ORIGIN_H
#define SERVER_NET_ORIGIN_H

#include "server/base/message.h"
#include "server/base/settings.h"
#include "server/net/fault.h"

/* Whether the request names this service. local: the connection's own address, NULL where no
 * browser connects (a unix socket). */
const struct fault *origin_of_host(const struct settings *settings, const struct request *request,
                                   const char *local);

/* Whether a page of another origin sent the request. A link that the user follows is allowed. */
const struct fault *origin_of_page(const struct request *request);

#endif
