/* The files of --tls-cert, --tls-key and --client-ca. */
#ifndef SERVER_NET_TLS_H
#define SERVER_NET_TLS_H

#include <stdbool.h>

#include "server/base/settings.h"

/* PEM texts, NULL for what was not asked for. */
struct tls {
    char *cert, *key, *client_ca;
};

/* False: problem says which file cannot be read or used. tls is to be freed either way. */
bool tls_read(struct tls *tls, const struct settings *settings, char problem[256]);
void tls_free(struct tls *tls);

#endif
