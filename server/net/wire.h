/* The bytes of a connection, plain or by TLS. */
#ifndef SERVER_NET_WIRE_H
#define SERVER_NET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "server/net/tls.h"

struct wire {
    int fd;
    void *session; /* of TLS; NULL: plain */
    bool is_open;  /* the handshake is done */
};

/* Takes over fd, which is not blocking; tls NULL: plain. False when out of memory; wire_close is
 * due then, too. */
bool wire_open(struct wire *wire, int fd, struct tls *tls);
void wire_close(struct wire *wire);

enum { WIRE_END = TLS_END, WIRE_WAITS = TLS_WAITS, WIRE_BROKEN = TLS_BROKEN };

/* At least one byte, END (of reading: the client sends no more), WAITS (until the socket is
 * readable or writable) or BROKEN. The first calls perform the TLS handshake. */
ssize_t wire_read(struct wire *wire, void *bytes, size_t len);
ssize_t wire_write(struct wire *wire, const void *bytes, size_t len);

/* Notifies the client that no more comes. */
void wire_end(struct wire *wire);

#endif
