/* The certificates of clients, as far as GnuTLS was built in. */
#ifndef SERVER_NET_CERTIFICATE_H
#define SERVER_NET_CERTIFICATE_H

#include "base/arena.h"

/* "cert:NAME" with the common name in the certificate of a GnuTLS session's peer, when --client-ca
 * verifies it and it is one for clients; else NULL. session may be NULL. */
const char *certificate_name(void *session, struct arena *arena);

#endif
