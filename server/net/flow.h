/* The bytes of links: a request from the client through framing.h to its channel, the answer from
 * there to the client. */
#ifndef SERVER_NET_FLOW_H
#define SERVER_NET_FLOW_H

#include "server/net/link.h"

/* Moves the bytes of those links that are ready. */
void flow_move(struct links *links);

#endif
