/* The address of the client behind trusted proxies. */
#ifndef SERVER_NET_FORWARDED_H
#define SERVER_NET_FORWARDED_H

#include "server/base/message.h"
#include "server/base/network.h"
#include "server/net/fault.h"
#include "server/net/link.h"

/* From the peer's address to the client's: as long as an address is a trusted proxy's, what that
 * proxy added to X-Forwarded-For or Forwarded (RFC 7239) is trusted, from the last entry on. An
 * entry without an IP address ends it. A fault (400) when Forwarded is malformed, or when the two
 * name different clients: then one of them is not the proxy's. The lines of each header must be
 * joined (head.h). */
const struct fault *forwarded_client(const struct networks *trusted, const struct request *request,
                                     union link_address *client);

#endif
