/* What comes through a connection, before libmicrohttpd sees it. Version 0.9.75 takes blanks before
 * colons, folded lines, NULs, bare line feeds and more for granted and lets nobody look, so its
 * calls of recv and gnutls_record_recv come to the functions of these names here, which only hand
 * on what framing.h lets through. Were they ever not called, no request would be known here, and
 * none is answered. */
#ifndef SERVER_NET_WIRE_H
#define SERVER_NET_WIRE_H

#include "server/net/framing.h"

/* Room for sockets below files. To be called once, before the first connection. */
void wire_init(size_t files, size_t most_bytes);

/* Looks at what comes through fd, until it is closed. False: there is no room for it. */
bool wire_open(int fd, bool is_tls);
void wire_close(int fd);

/* A request begins: what is wrong with it, NULL when nothing is. */
const struct fault *wire_begin(int fd);

/* Its body has come: the same. */
const struct fault *wire_end(int fd);

#endif
