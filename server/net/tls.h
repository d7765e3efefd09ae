/* TLS of connections, by GnuTLS; where that is absent no option enables it. */
#ifndef SERVER_NET_TLS_H
#define SERVER_NET_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "server/base/settings.h"

struct tls;

/* With the files of --tls-cert, --tls-key and --client-ca; NULL without the first. False: problem
 * says which file cannot be read or used. */
bool tls_new(const struct settings *settings, struct tls **tls, char problem[256]);
void tls_free(struct tls *tls);

/* Reads those files again, for connections from now on: others keep what they have. False: problem
 * says why, and nothing changes. Any thread. */
bool tls_reload(struct tls *tls, const struct settings *settings, char problem[256]);

/* The session of a connection, a gnutls_session_t; fd is not blocking. NULL when out of memory. */
void *tls_open(struct tls *tls, int fd);
void tls_close(void *session);

/* Results of reading, writing and the handshake other than a number of bytes. */
enum { TLS_END = 0, TLS_WAITS = -1, TLS_BROKEN = -2 };

/* 0, WAITS (the socket has to move first) or BROKEN. */
int tls_shake_hands(void *session);

/* At least one byte, END, WAITS or BROKEN. */
ssize_t tls_read(void *session, void *bytes, size_t len);
ssize_t tls_write(void *session, const void *bytes, size_t len);

/* Notifies the client that no more comes, as far as the socket takes it. */
void tls_end(void *session);

#endif
