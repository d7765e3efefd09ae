/* Certificates, as far as GnuTLS was built in. */
#ifndef SERVER_NET_CERTIFICATE_H
#define SERVER_NET_CERTIFICATE_H

#include <stdbool.h>

#include "base/arena.h"

/* Can these PEM texts be used, as far as they are not NULL? False: problem says which cannot.
 * Without GnuTLS only libmicrohttpd finds out, and does not say. */
bool certificate_fits(char *cert, char *key, char *client_ca, char problem[256]);

/* "cert:NAME" with the common name in the certificate of a GnuTLS session's peer, when --client-ca
 * stands for it and it is one for clients; else NULL. session may be NULL. */
const char *certificate_name(void *session, struct arena *arena);

#endif
