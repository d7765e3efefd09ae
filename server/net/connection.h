/* A connection of libmicrohttpd: the other end of a channel. */
#ifndef SERVER_NET_CONNECTION_H
#define SERVER_NET_CONNECTION_H

#include "server/net/link.h"

struct MHD_Connection;
struct channel;

/* The channel at its other end; never NULL. */
struct channel *connection_channel(struct MHD_Connection *connection);

/* The client's connection enters a phase, and its time limit begins, unless it is closed. */
void connection_enter(struct MHD_Connection *connection, enum link_phase phase);

/* A suspended connection is not read or written until it is resumed; resuming may be done by any
 * thread. The arguments are of type struct MHD_Connection, as for struct exchange. */
void connection_suspend(void *connection);
void connection_resume(void *connection);

#endif
